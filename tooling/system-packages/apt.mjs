/** Installs or unpacks Debian packages with apt. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './command.mjs';

/** Timeout for an apt command, so an unresponsive mirror can't block startup. The largest package is 100 MB. */
const TIMEOUT_MS = 15 * 60_000;

/** Options that make apt fail within seconds if there's no network. */
const FAIL_FAST = [
  ...['-o', 'Acquire::Retries=1'],
  ...['-o', 'Acquire::http::Timeout=20'],
  ...['-o', 'APT::Update::Error-Mode=any'],
];

const INSTALL_ARGS = ['install', '--yes', '--no-install-recommends'];
/** Options that make apt wait two minutes for another installation to release its lock. */
const WAIT_FOR_LOCK = ['-o', 'DPkg::Lock::Timeout=120'];

/** Returns whether `apt-get` and `dpkg` are available. */
export function hasApt() {
  return ['apt-get', 'dpkg'].every((program) =>
    (process.env.PATH ?? '')
      .split(delimiter)
      .concat('/usr/bin')
      .some((folder) => existsSync(join(folder, program))),
  );
}

/**
 * Installs packages with the system's package manager. Requires root. On failure, refreshes the package lists and
 * retries once.
 * @param {readonly string[]} packages
 * @param {{log: (line: string) => void, aptOptions: readonly string[]}} context
 * @returns {Promise<{ok: boolean, output: string}>}
 */
export async function installOnSystem(packages, { log, aptOptions }) {
  const apt = (args) =>
    run('apt-get', [...WAIT_FOR_LOCK, ...FAIL_FAST, ...aptOptions, ...args], {
      env: { DEBIAN_FRONTEND: 'noninteractive' },
      timeoutMs: TIMEOUT_MS,
    });
  const first = await apt([...INSTALL_ARGS, ...packages]);
  if (first.ok) return first;
  log('Refreshing the package lists …');
  const update = await apt(['update']);
  return update.ok ? apt([...INSTALL_ARGS, ...packages]) : update;
}

/**
 * Downloads packages and their missing dependencies using a separate apt state and cache, and unpacks them into `root`.
 * Needs no root privileges. apt verifies signatures and hashes as usual.
 * @param {readonly string[]} packages
 * @param {{root: string, workDir: string, log: (line: string) => void, aptOptions: readonly string[]}} context
 *   `workDir` is removed afterwards
 * @returns {Promise<{ok: boolean, output: string}>}
 */
export async function unpackPrivately(packages, { root, workDir, log, aptOptions }) {
  const cache = join(workDir, 'cache');
  const archives = join(cache, 'archives');
  const state = join(workDir, 'state');
  for (const folder of [join(archives, 'partial'), join(state, 'lists/partial'), root]) {
    mkdirSync(folder, { recursive: true });
  }
  const apt = (options, args) =>
    run(
      'apt-get',
      [
        // The system's lock files belong to root, and aren't needed because no system file is written.
        ...['-o', 'Debug::NoLocking=true'],
        ...['-o', `Dir::Cache=${cache}`],
        // As root, apt would download as a different user without access to the private folder.
        ...['-o', 'APT::Sandbox::User='],
        ...FAIL_FAST,
        ...options,
        ...aptOptions,
        ...args,
      ],
      { cwd: workDir, timeoutMs: TIMEOUT_MS },
    );
  const privateState = [
    ...['-o', `Dir::State=${state}`],
    ...['-o', 'Dir::State::status=/var/lib/dpkg/status'],
  ];
  const download = [...INSTALL_ARGS, '--download-only', ...packages];
  try {
    // Try the system's package lists first. If they're present and current, that saves a 20 MB download.
    let result = await apt([], download);
    if (!result.ok) {
      log('Fetching package lists …');
      const update = await apt(privateState, ['update']);
      if (!update.ok) return update;
      result = await apt(privateState, download);
    }
    if (!result.ok) return result;
    const files = readdirSync(archives).filter((name) => name.endsWith('.deb'));
    log(`Unpacking ${files.length} packages into ${root} …`);
    for (const file of files) {
      const unpacked = await run('dpkg', ['-x', join(archives, file), root]);
      if (!unpacked.ok) return unpacked;
    }
    return { ok: true, output: '' };
  } finally {
    rmSync(workDir, { recursive: true, force: true });
  }
}
