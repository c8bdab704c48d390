/**
 * The most similar name, for "Did you mean". Undefined if none is similar.
 *
 * @param {string} written
 * @param {Iterable<string>} names
 * @param {number} share the reciprocal of the share of characters that may differ, always at least one
 * @returns {string | undefined}
 */
export function nearest(written, names, share = 4) {
  let [found, least] = [/** @type {string | undefined} */ (undefined), Number.POSITIVE_INFINITY];
  const lower = written.toLowerCase();
  for (const name of names) {
    // Names without a character in common are not similar.
    const most = Math.min(Math.max(1, Math.floor(name.length / share)), name.length - 1, written.length - 1);
    if (Math.abs(name.length - written.length) > most) continue;
    const steps = distance(lower, name.toLowerCase(), most);
    if (steps <= most && steps < least) [found, least] = [name, steps];
  }
  return found;
}

/**
 * ` Did you mean …?`, to append to a message. Empty if no name is similar.
 *
 * @param {string} written
 * @param {Iterable<string>} names
 */
export function suggestion(written, names) {
  const name = nearest(written, names);
  return name === undefined ? '' : ` Did you mean \`${name}\`?`;
}

/**
 * The number of characters to insert, remove or replace (Levenshtein). Two exchanged characters count as one.
 *
 * @param {string} one
 * @param {string} other
 * @param {number} most beyond it, the number may be too small
 * @returns {number}
 */
export function distance(one, other, most = Number.POSITIVE_INFINITY) {
  const row = [0];
  for (let j = 1; j <= other.length; j++) row.push(j);
  for (let i = 1; i <= one.length; i++) {
    let diagonal = i - 1;
    let least = i;
    row[0] = i;
    for (let j = 1; j <= other.length; j++) {
      const replaced = diagonal + (one.charCodeAt(i - 1) === other.charCodeAt(j - 1) ? 0 : 1);
      diagonal = row[j];
      row[j] = Math.min(row[j - 1] + 1, diagonal + 1, replaced);
      if (row[j] < least) least = row[j];
    }
    // Two exchanged characters are two steps here.
    if (least > Math.max(most, 2)) return least;
  }
  const steps = row[other.length];
  return steps === 2 && sorted(one) === sorted(other) ? 1 : steps;
}

/** @param {string} text */
const sorted = (text) => [...text].sort().join('');
