/**
 * The name that somebody may have meant: one that a few keystrokes lead to; undefined where none is near.
 *
 * @param {string} written
 * @param {Iterable<string>} names
 * @returns {string | undefined}
 */
export function nearest(written, names) {
  const near = [...names]
    .map((name) => ({ name, steps: distance(written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, steps }) => steps <= Math.max(1, Math.floor(Math.min(name.length, written.length) / 4)))
    .sort((one, other) => one.steps - other.steps);
  return near[0]?.name;
}

/** ` Did you mean …?`, to be put behind a message; empty where nothing is near. */
export function suggestion(written, names) {
  const name = nearest(written, names);
  return name === undefined ? '' : ` Did you mean \`${name}\`?`;
}

/** How many letters must be put in, taken out or replaced (Levenshtein). */
function distance(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = row[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(next[j - 1] + 1, row[j] + 1, replaced));
    }
    row = next;
  }
  return row[other.length];
}
