/**
 * Where chance begins in the tests that try the most: the number that `SEED` names, to repeat a run; the
 * same one each time where changes are let in, so that what fails there was broken by the change; else
 * another one each time.
 */
export const seed = Number(
  process.env.SEED ??
    (process.env.CI === 'true' ? 20_261_122 : Math.floor(Math.random() * 2 ** 31)),
);
