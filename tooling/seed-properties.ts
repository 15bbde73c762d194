/** A setup file of Vitest that gives all property tests of fast-check the seed of randomized tests. */
import fc from 'fast-check';
import { seed } from './seed.ts';

fc.configureGlobal({ seed });
