/** A Vitest setup file that makes all fast-check property tests use the seed for randomized tests. */
import fc from 'fast-check';
import { seed } from './seed.ts';

fc.configureGlobal({ seed });
