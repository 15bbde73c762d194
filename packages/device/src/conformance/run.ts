/** Runs the conformance kit: plays the phone and verifies every clause of `PROTOCOL.md` that a phone can observe. */
import { TransportError, type TransportErrorCode } from '../errors.ts';
import { Bench, type BenchOptions } from './bench.ts';
import type { Clause } from './clause.ts';
import { firmwareClauses } from './clauses/firmware.ts';
import { frameClauses } from './clauses/frames.ts';
import { advertisementClauses, boundAdvertisementClauses, linkClauses } from './clauses/link.ts';
import { readingClauses, tidy } from './clauses/reading.ts';
import { recordingClauses } from './clauses/recording.ts';
import { stateClauses } from './clauses/state.ts';
import { unbindClauses, version1Clauses } from './clauses/version-1.ts';
import { bindingClauses, channelClauses, findBinding } from './clauses/version-2.ts';
import { hotspotClauses, wifiClauses } from './clauses/wifi.ts';
import { Broken, NotTested, runCheck, type Verdict } from './verdict.ts';

const FIRST_CLAUSES: readonly Clause[] = [
  ...frameClauses,
  ...advertisementClauses,
  ...version1Clauses,
];
const USING_CLAUSES: readonly Clause[] = [
  ...bindingClauses,
  ...boundAdvertisementClauses,
  ...stateClauses,
  ...recordingClauses,
  ...wifiClauses,
  ...readingClauses,
  ...firmwareClauses,
  ...channelClauses,
];
const FINAL_CLAUSES: readonly Clause[] = [...hotspotClauses, ...unbindClauses, ...linkClauses];
/** All clauses in order of execution. Later clauses depend on the state that earlier ones set up. */
export const CLAUSES: readonly Clause[] = [...FIRST_CLAUSES, ...USING_CLAUSES, ...FINAL_CLAUSES];

export interface ClauseResult {
  readonly clause: Omit<Clause, 'check'>;
  readonly verdict: Verdict;
}

export interface CheckReport {
  readonly recorder: {
    readonly sn: string;
    readonly projectCode: string;
    readonly firmwareVersion: string;
  } | null;
  readonly results: readonly ClauseResult[];
  /** Changes that the check couldn't undo on the recorder. */
  readonly leftovers: readonly string[];
}

/**
 * Checks a recorder.
 * @param onResult called after each clause
 * @throws {TransportError} if no link can be opened at all, or this computer's radio fails
 */
export async function checkRecorder(
  options: BenchOptions,
  onResult: (result: ClauseResult) => void = () => undefined,
): Promise<CheckReport> {
  const bench = new Bench(options);
  const results: ClauseResult[] = [];
  const checkAll = async (clauses: readonly Clause[]) => {
    for (const { check, ...clause } of clauses) {
      const verdict = await runCheck(() => checkLinked(bench, check));
      const result = { clause, verdict };
      results.push(result);
      onResult(result);
    }
  };
  try {
    await checkAll(FIRST_CLAUSES);
    await ignoreFailures(() => findBinding(bench));
    await checkAll(USING_CLAUSES);
    const leftovers = await tidyUp(bench);
    await checkAll(FINAL_CLAUSES);
    const { sn, projectCode, firmwareVersion } = bench.facts?.info ?? {};
    const isKnown = sn !== undefined && projectCode !== undefined && firmwareVersion !== undefined;
    const recorder = isKnown ? { sn, projectCode, firmwareVersion } : null;
    return { recorder, results, leftovers };
  } finally {
    await bench.close();
  }
}

/** Failures to open a link that aren't caused by the recorder. */
const ownFailures: ReadonlySet<TransportErrorCode> = new Set([
  'radio_off',
  'permission_denied',
  'unsupported',
]);

/**
 * Runs a check. After the recorder has answered once, failing to open a link counts as the recorder's failure unless
 * the cause is in {@link ownFailures}.
 */
async function checkLinked(bench: Bench, check: Clause['check']): Promise<void> {
  try {
    await check(bench);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    if (!bench.facts || ownFailures.has(error.code)) throw error;
    throw new Broken('a link', error.code);
  }
}

async function tidyUp(bench: Bench): Promise<string[]> {
  await ignoreFailures(() => tidy(bench));
  return [...bench.ownSessions].map((sessionId) => `session ${sessionId}, recorded by this check`);
}

/** Runs a step between clauses. Ignores failures of the recorder, because the clauses report them. */
async function ignoreFailures(step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    const isVerdict = error instanceof Broken || error instanceof NotTested;
    if (!isVerdict && !(error instanceof TransportError)) throw error;
  }
}

/** Returns whether the recorder broke a required clause. */
export function hasFailed({ results }: Pick<CheckReport, 'results'>): boolean {
  return results.some(
    ({ clause, verdict }) => clause.requires === 'required' && verdict.status === 'broken',
  );
}
