import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './command.mjs';

/** A mirror that stops answering must not stop a start for ever; the largest package has 100 MB. */
const TIMEOUT_MS = 15 * 60_000;

/** Without network this fails within seconds, and says so. */
const PATIENCE = [
  ...['-o', 'Acquire::Retries=1'],
  ...['-o', 'Acquire::http::Timeout=20'],
  ...['-o', 'APT::Update::Error-Mode=any'],
];

const INSTALL = ['install', '--yes', '--no-install-recommends'];
/** Somebody else's installation may hold the lock for a while. */
const WAIT_FOR_LOCK = ['-o', 'DPkg::Lock::Timeout=120'];

/** Whether this system has Debian's tools. */
export function hasApt() {
  return ['apt-get', 'dpkg'].every((program) =>
    (process.env.PATH ?? '')
      .split(delimiter)
      .concat('/usr/bin')
      .some((folder) => existsSync(join(folder, program))),
  );
}

/**
 * As root: installs with the system's package manager; refreshes its lists once if that fails.
 * @param {readonly string[]} packages
 * @param {{log: (line: string) => void, aptOptions: readonly string[]}} context
 * @returns {Promise<{ok: boolean, output: string}>}
 */
export async function installOnSystem(packages, { log, aptOptions }) {
  const apt = (args) =>
    run('apt-get', [...WAIT_FOR_LOCK, ...PATIENCE, ...aptOptions, ...args], {
      env: { DEBIAN_FRONTEND: 'noninteractive' },
      timeoutMs: TIMEOUT_MS,
    });
  const first = await apt([...INSTALL, ...packages]);
  if (first.ok) return first;
  log('Refreshing the package lists …');
  const update = await apt(['update']);
  return update.ok ? apt([...INSTALL, ...packages]) : update;
}

/**
 * As anybody: downloads the packages, and those of their dependencies that the
 * system lacks, with state and cache of our own, and unpacks them below `root`.
 * apt verifies signatures and hashes as always.
 * @param {readonly string[]} packages
 * @param {{root: string, workDir: string, log: (line: string) => void, aptOptions: readonly string[]}} context
 *   `workDir` is removed afterwards.
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
        // the system's lock files belong to root; nothing of the system is written here
        ...['-o', 'Debug::NoLocking=true'],
        ...['-o', `Dir::Cache=${cache}`],
        // downloading as another user, as apt does for root, cannot reach a private folder
        ...['-o', 'APT::Sandbox::User='],
        ...PATIENCE,
        ...options,
        ...aptOptions,
        ...args,
      ],
      { cwd: workDir, timeoutMs: TIMEOUT_MS },
    );
  const ownState = [
    ...['-o', `Dir::State=${state}`],
    ...['-o', 'Dir::State::status=/var/lib/dpkg/status'],
  ];
  const download = [...INSTALL, '--download-only', ...packages];
  try {
    // the system's lists are readable and spare us 20 MB, if they are there and fresh
    let result = await apt([], download);
    if (!result.ok) {
      log('Fetching package lists …');
      const update = await apt(ownState, ['update']);
      if (!update.ok) return update;
      result = await apt(ownState, download);
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
