/**
 * The most similar name, for "Did you mean". Undefined if none is similar.
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

/** ` Did you mean …?`, to append to a message. Empty if no name is similar. */
export function suggestion(written, names) {
  const name = nearest(written, names);
  return name === undefined ? '' : ` Did you mean \`${name}\`?`;
}

/**
 * The number of characters to insert, remove or replace (Levenshtein).
 *
 * @param {string} one
 * @param {string} other
 * @returns {number}
 */
export function distance(one, other) {
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
