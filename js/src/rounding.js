// Python's rounding: halves go to the even neighbour.

const EXACT_DIGITS = 100; // the most that toFixed writes

/** The nearest whole number. @param {number} value */
export function roundHalfEven(value) {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest !== 0.5) return rest < 0.5 ? below : below + 1;
  return below % 2 === 0 ? below : below + 1;
}

/**
 * As Python's round(value, digits).
 * @param {number} value
 * @param {number} digits
 */
export function rounded(value, digits) {
  // Decimal text of a double is exact, so that a half is recognised as one.
  const text = value.toFixed(EXACT_DIGITS);
  const cut = text.length - EXACT_DIGITS + digits;
  const isHalf = /^50*$/.test(text.slice(cut));
  const isEven = Number(text[cut - 1]) % 2 === 0;
  return isHalf && isEven ? Number(text.slice(0, cut)) : Number(value.toFixed(digits));
}
