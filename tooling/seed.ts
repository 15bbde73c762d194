/**
 * The seed for randomized tests: `SEED` to repeat a run, a constant in CI so that only the change under test can cause
 * a failure, otherwise random.
 */
export const seed = Number(
  process.env.SEED ??
    (process.env.CI === 'true' ? 20_261_122 : Math.floor(Math.random() * 2 ** 31)),
);
