/** Terminates a script and its child processes when it receives a termination signal. */
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Interval between checks of the parent's process ID, in milliseconds. */
const PARENT_CHECK_MS = 500;

/**
 * The child processes. The value is true if the child tolerates a repeated signal.
 * @type {Map<import('node:child_process').ChildProcess, boolean>}
 */
const children = new Map();
/** The first termination signal received. @type {NodeJS.Signals | null} */
let firstSignal = null;
let isListening = false;

/** Returns the exit code that shells report for a process terminated by a signal. */
const exitCode = (signal) => 128 + constants.signals[signal];

/** Returns whether the terminal sends the signal to the children too. */
const reachesChildren = (signal) =>
  signal === 'SIGINT' && Boolean(process.stdin.isTTY || process.stdout.isTTY);

function onSignal(signal) {
  firstSignal ??= signal;
  if (children.size === 0) process.exit(exitCode(firstSignal));
  for (const [child, mayRepeat] of children) {
    if (mayRepeat || !reachesChildren(signal)) child.kill(signal);
  }
}

/**
 * Installs handlers for termination signals, because they have no default action in a container's first process, and a
 * killed shell doesn't forward them.
 */
export function installSignalHandlers() {
  if (isListening) return;
  isListening = true;
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

/**
 * Forwards termination signals to a child. After such a signal, this process exits together with the child, with the
 * same exit code.
 * @param {import('node:child_process').ChildProcess} child
 * @param {{mayRepeat?: boolean}} [options] `mayRepeat`: true if the child ignores a repeated Ctrl-C
 */
export function forwardSignals(child, { mayRepeat = false } = {}) {
  installSignalHandlers();
  children.set(child, mayRepeat);
  child.once('exit', (code) => {
    children.delete(child);
    if (firstSignal && children.size === 0) process.exit(code ?? exitCode(firstSignal));
  });
}

/**
 * Exits once the parent npm process has exited, because a killed npm can't forward signals. Has no effect on scripts
 * started without npm, which may outlive their shell.
 */
export function exitWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent && !firstSignal) onSignal('SIGTERM');
  }, PARENT_CHECK_MS).unref();
}
