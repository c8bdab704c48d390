/** In a copy of the project, every instrumented file imports this. Other processes of a test get the variable. */
globalThis.guards ??= { off: Number(process.env.WRP_GUARD_OFF ?? 0), reached: new Set() };
const state = globalThis.guards;

export function isOff(number) {
  state.reached.add(number);
  return number === state.off;
}

/** Runs what follows without one guard; 0: with all of them. */
export function switchOff(number) {
  state.off = number;
  process.env.WRP_GUARD_OFF = String(number);
  state.reached.clear();
}

export const reached = () => [...state.reached];
