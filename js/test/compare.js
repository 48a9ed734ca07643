// How far an answer may be from Python's: text to the letter, numbers to a tolerance.

/**
 * Where two JSON values differ, as lines; numbers may be `tolerance` apart.
 * @param {any} ours
 * @param {any} theirs
 * @param {number} tolerance
 * @param {string} path
 * @returns {string[]}
 */
export function differences(ours, theirs, tolerance, path = '') {
  if (typeof ours === 'number' && typeof theirs === 'number') {
    return Math.abs(ours - theirs) <= tolerance ? [] : [`${path}: ${ours} instead of ${theirs}`];
  }
  if (typeof ours !== 'object' || typeof theirs !== 'object' || ours === null || theirs === null) {
    return ours === theirs ? [] : [`${path}: ${JSON.stringify(ours)} instead of ${JSON.stringify(theirs)}`];
  }
  const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  return [...keys].flatMap((key) => differences(ours[key], theirs[key], tolerance, `${path}.${key}`));
}
