/**
 * The seed for randomized tests: the value of `SEED` to repeat a run, a constant in CI so only the tested change can
 * cause a failure, and otherwise random.
 */
export const seed = Number(
  process.env.SEED ??
    (process.env.CI === 'true' ? 20_261_122 : Math.floor(Math.random() * 2 ** 31)),
);
