/** Node's own class. In the environment jsdom of Vitest, the global is another: no `Buffer` is an instance of it. */
const NodeUint8Array = Object.getPrototypeOf(Buffer) as typeof globalThis.Uint8Array;

export { NodeUint8Array as Uint8Array };
