/** Ends a script together with its child processes, so that a signal leaves nothing running. */
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Interval between checks of the parent's pid, in milliseconds. */
const PARENT_CHECK_MS = 500;

/** @type {Map<import('node:child_process').ChildProcess, boolean>} Children, and whether each accepts a repeated signal. */
const children = new Map();
/** @type {NodeJS.Signals | null} The first termination signal received. */
let firstSignal = null;
let isListening = false;

/** The exit code that shells report for a process ended by a signal. */
const exitCode = (signal) => 128 + constants.signals[signal];

/** Whether the terminal sends this signal to the children as well. */
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
 * Handles termination signals. They have no default action in a container's first process, and a shell that is killed
 * does not forward them.
 */
export function installSignalHandlers() {
  if (isListening) return;
  isListening = true;
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

/**
 * Forwards termination signals to a child. After such a signal, this process exits when the child does, with the
 * child's exit code.
 * @param {import('node:child_process').ChildProcess} child
 * @param {{mayRepeat?: boolean}} [options] `mayRepeat`: the child ignores a repeated Ctrl-C
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
 * Ends this process when its npm parent has exited: a killed npm cannot forward signals. A script started without npm
 * may outlive its shell.
 */
export function exitWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent && !firstSignal) onSignal('SIGTERM');
  }, PARENT_CHECK_MS).unref();
}
