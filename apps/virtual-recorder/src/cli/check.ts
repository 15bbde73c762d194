/** The command that checks a recorder's conformance to `PROTOCOL.md`. Works with any manufacturer's recorders. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fromHex, toHex } from '@linnet/base';
import { systemClock } from '@linnet/device/clock';
import {
  type BenchOptions,
  type CheckBinding,
  type CheckReport,
  type ClauseResult,
  checkRecorder,
  hasFailed,
} from '@linnet/device/conformance';
import { REQUEST_TIMEOUT_MS, WRITE_DELAY_MS } from '@linnet/device/session';
import { TransportError } from '@linnet/device/transport';
import { openWifi } from '@linnet/transports/wifi';
import { type CheckedRecorder, type CheckTarget, openTarget } from './check-target.ts';
import { CommandFailure } from './remote.ts';

/** Default name of the file that stores bindings created by checks. */
const BINDINGS_FILE = 'recorder-check.json';
/** Time for frames in transit to arrive, in milliseconds: a few connection events. */
const SETTLE_MS = 250;

export interface CheckOptions {
  readonly target: CheckTarget;
  /** Binds the recorder without asking for confirmation. */
  readonly binds: boolean;
  readonly unbinds: boolean;
  readonly isQuick: boolean;
  /** The Wi-Fi network of this computer, to which the recorder connects. */
  readonly network: { readonly ssid: string; readonly password: string } | undefined;
  readonly sendsInvalidFirmware: boolean;
  readonly isJson: boolean;
  /** Delay between two commands in milliseconds. Defaults to the delay in the protocol. */
  readonly paceMs: number | undefined;
  /** The file that stores bindings. Defaults to the file in `DATA_DIR`. */
  readonly bindingsFile: string | undefined;
}

const MARKS = {
  kept: 'kept',
  broken: 'BROKEN',
  notOffered: 'not offered',
  notTested: 'not tested',
} as const;
const MARK_WIDTH = 12;

/** Formats a clause's result, with the details on the following lines. */
function formatResult({ clause, verdict }: ClauseResult): string {
  const { id, section, title, requires } = clause;
  const optional = requires === 'optional' ? ' (optional)' : '';
  const line = `${MARKS[verdict.status].padEnd(MARK_WIDTH)}${id}: ${title}${optional}`;
  const indent = ' '.repeat(MARK_WIDTH);
  switch (verdict.status) {
    case 'kept':
      return line;
    case 'broken':
      return [
        line,
        `${indent}expected: ${verdict.expected}`,
        `${indent}received: ${verdict.received}`,
        `${indent}PROTOCOL.md#${section}`,
      ].join('\n');
    case 'notOffered':
    case 'notTested':
      return `${line}\n${indent}${verdict.reason}`;
  }
}

/** Formats the summary: the counts, the verdict, and changes left on the recorder. */
function formatSummary(report: CheckReport): string {
  const count = (status: keyof typeof MARKS) =>
    report.results.filter(({ verdict }) => verdict.status === status).length;
  const untested = report.results.filter(
    ({ clause, verdict }) => clause.requires === 'required' && verdict.status === 'notTested',
  );
  const counts = `${count('kept')} kept, ${count('broken')} broken, ${count('notOffered')} not offered, ${count('notTested')} not tested`;
  const verdict = hasFailed(report)
    ? 'The recorder violates required clauses.'
    : untested.length > 0
      ? `No required clause is violated, but ${untested.length} could not be tested.`
      : 'The recorder meets all required clauses.';
  const leftovers = report.leftovers.map((leftover) => `Left on the recorder: ${leftover}.`);
  return [`\n${counts}.`, verdict, ...leftovers].join('\n');
}

/** Describes why no link was opened, including the system's error message, if any. */
function describeLinkFailure({ code, cause }: TransportError): string {
  if (code === 'recorder_busy') return 'another phone is connected';
  return cause instanceof Error && cause.message ? `${code} (${cause.message})` : code;
}

/**
 * Checks a recorder, and prints the result of each clause.
 * @returns true if no required clause is violated
 * @throws CommandFailure if no link can be opened
 */
export async function runCheck(options: CheckOptions): Promise<boolean> {
  const { isJson } = options;
  const print = (text: string) => void process.stdout.write(`${text}\n`);
  /** Prints questions and instructions to stderr, because stdout may contain JSON. */
  const printNotice = (text: string) => void process.stderr.write(`${text}\n`);
  const recorder = await openTarget(options.target);
  if (options.target.kind === 'bluetooth') printNotice(`Checking ${recorder.name}.`);
  try {
    const report = await checkRecorder(benchOptions(recorder, options, printNotice), (result) => {
      if (!isJson) print(formatResult(result));
    });
    print(isJson ? JSON.stringify(report, null, 2) : formatSummary(report));
    return !hasFailed(report);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const reason = describeLinkFailure(error);
    throw new CommandFailure(`Can't connect to ${recorder.name}: ${reason}.`, { cause: error });
  } finally {
    recorder.close();
  }
}

function benchOptions(
  { connect, supportsSecondConnection, readAdvertisement }: CheckedRecorder,
  options: CheckOptions,
  printNotice: (text: string) => void,
): BenchOptions {
  const { paceMs = WRITE_DELAY_MS } = options;
  const file = options.bindingsFile ?? resolve(process.env.DATA_DIR ?? 'data', BINDINGS_FILE);
  return {
    connect,
    supportsSecondConnection,
    readAdvertisement,
    network: options.network && {
      ...options.network,
      openLink: (endpoint) => openWifi(endpoint, { deviceId: endpoint.origin }),
    },
    sendsInvalidFirmware: options.sendsInvalidFirmware,
    timing: { clock: systemClock, paceMs, timeoutMs: REQUEST_TIMEOUT_MS, settleMs: SETTLE_MS },
    isQuick: options.isQuick,
    unbinds: options.unbinds,
    loadBinding: async (sn) => (await readBindings(file)).get(sn),
    storeBinding: async (sn, binding) => {
      const bindings = await readBindings(file);
      if (binding) bindings.set(sn, binding);
      else bindings.delete(sn);
      await writeBindings(file, bindings);
    },
    mayBind: async ({ sn, isBind }) => {
      const consequence = isBind
        ? 'This ends its current binding; the owner will have to bind it again.'
        : 'Any sessions on it that have no owner will then belong to this check.';
      const question = `Most clauses require a bound recorder. Bind ${sn} to this check? ${consequence}`;
      if (options.binds) {
        printNotice(`Binding ${sn} to this check. ${consequence}`);
        return true;
      }
      return ask(question, printNotice);
    },
    requestConfirmation: ({ sn, isBind }) =>
      printNotice(
        isBind
          ? `Hold the button on ${sn} for five seconds to confirm the bind (within one minute).`
          : `Press the button on ${sn} to confirm the bind (within one minute).`,
      ),
  };
}

/** Asks a yes-or-no question on the terminal. @returns false if there is no terminal */
async function ask(question: string, printNotice: (text: string) => void): Promise<boolean> {
  if (!process.stdin.isTTY) {
    printNotice('The recorder is not bound to this check. Use --bind to bind it.');
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  return answer.trim().toLowerCase().startsWith('y');
}

/** Reads the bindings. @throws CommandFailure if the file isn't a bindings file */
async function readBindings(file: string): Promise<Map<string, CheckBinding>> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw error;
  }
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, unknown>);
    return new Map(entries.map(([sn, value]) => [sn, readBinding(value)]));
  } catch (cause) {
    throw new CommandFailure(`${file} is not a bindings file.`, { cause });
  }
}

function readBinding(value: unknown): CheckBinding {
  const { key, ownerTag } = value as { key?: unknown; ownerTag?: unknown };
  if (typeof key !== 'string' || typeof ownerTag !== 'string')
    throw new TypeError('invalid binding');
  return { key: fromHex(key), ownerTag: fromHex(ownerTag) };
}

/** Writes the bindings. The file is readable only by the user, because it contains the recorders' keys. */
async function writeBindings(file: string, bindings: ReadonlyMap<string, CheckBinding>) {
  const entries = [...bindings].map(([sn, { key, ownerTag }]) => [
    sn,
    { key: toHex(key), ownerTag: toHex(ownerTag) },
  ]);
  await mkdir(dirname(file), { recursive: true });
  const text = JSON.stringify(Object.fromEntries(entries), null, 2);
  await writeFile(file, `${text}\n`, { mode: 0o600 });
}
