export type { BenchOptions, CheckBinding } from './bench.ts';
export { type CheckReport, CLAUSES, type ClauseResult, checkRecorder, hasFailed } from './run.ts';
export type { Verdict } from './verdict.ts';
