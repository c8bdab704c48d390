/** Tasks of the pool's tests. */

export const double = (n: number) => n * 2;

export const ownProcess = () => process.pid;

export const environment = () => ({ ...process.env });

export const later = async (milliseconds: number) => {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return milliseconds;
};

export const fail = () => {
  throw new TypeError('wrong');
};

export const loop = () => {
  for (;;);
};

export const backtrack = () => /^(a+)+$/.test(`${'a'.repeat(50)}!`);

/** Native code that JavaScript cannot interrupt. */
export const parse = (depth: number) => JSON.parse('['.repeat(depth));

export const fillHeap = () => {
  const all: object[] = [];
  for (;;) all.push({ all });
};

/** One allocation beyond the limit of the heap, at which V8 aborts. */
export const allocate = (items: number) => new Array(items).fill(0.5).length;

/** Memory outside of the heap. */
export const fillBuffers = () => {
  const all: Buffer[] = [];
  for (;;) all.push(Buffer.alloc(1 << 24, 1));
};

export const die = () => process.kill(process.pid, 'SIGKILL');
