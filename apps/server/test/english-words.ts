/** Matches common English words that aren't words in any other interface language. */
export const englishWords =
  /(?<!\p{L})(your?|the|this|with|and|was|has|been|can|again|we|it|don’t|won’t|didn’t|account|password|deleted|expires|pay|checkout)(?!\p{L})/iu;
