/** Ends a script and the child it waits for as one, so that a signal to either leaves nothing running. */
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Milliseconds between two checks of the parent's pid. */
const PARENT_MS = 500;

/** @type {Map<import('node:child_process').ChildProcess, boolean>} Each child, and whether it may be asked twice. */
const children = new Map();
/** @type {NodeJS.Signals | null} The first signal that asked this process to end. */
let asked = null;
let isListening = false;

/** The exit code of a process that a signal ended, as shells report it. */
const codeOf = (signal) => 128 + constants.signals[signal];

/** Whether a terminal sends this signal to the children as well. */
const reachesChildren = (signal) =>
  signal === 'SIGINT' && Boolean(process.stdin.isTTY || process.stdout.isTTY);

function onSignal(signal) {
  asked ??= signal;
  if (children.size === 0) process.exit(codeOf(asked));
  for (const [child, mayRepeat] of children) {
    if (mayRepeat || !reachesChildren(signal)) child.kill(signal);
  }
}

/**
 * Takes the signals that ask for an end. They have no default action in a container's first process,
 * and a shell that is killed does not pass them on.
 */
export function endOnSignals() {
  if (isListening) return;
  isListening = true;
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

/**
 * Passes signals on to a child. Once asked to end, this process exits with the child, with its exit code.
 * @param {import('node:child_process').ChildProcess} child
 * @param {{mayRepeat?: boolean}} [options] whether a second Ctrl-C means no more than the first to this child
 */
export function endWith(child, { mayRepeat = false } = {}) {
  endOnSignals();
  children.set(child, mayRepeat);
  child.once('exit', (code) => {
    children.delete(child);
    if (asked && children.size === 0) process.exit(code ?? codeOf(asked));
  });
}

/**
 * Asks this process to end once its parent is gone: npm that is killed cannot pass anything on. Started
 * by hand, a script may outlive the shell it came from.
 */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent && !asked) onSignal('SIGTERM');
  }, PARENT_MS).unref();
}
