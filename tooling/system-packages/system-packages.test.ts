import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasApt } from './apt.mjs';
import { ensureSystemPackages, PRODUCT_PACKAGES, TEST_PACKAGES } from './index.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'system-packages-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a package source in a folder, with one package whose program prints the package's name. */
function createPackageSource(name: string): { aptOptions: string[]; deb: string } {
  const tree = join(folder, 'tree');
  const program = join(tree, 'usr/bin', name);
  mkdirSync(join(tree, 'DEBIAN'), { recursive: true });
  mkdirSync(join(tree, 'usr/bin'), { recursive: true });
  writeFileSync(program, `#!/bin/sh\necho ${name} speaks\n`);
  chmodSync(program, 0o755);
  const control = `Package: ${name}\nVersion: 1.0\nArchitecture: all\nMaintainer: Linnet <linnet@localhost>\nDescription: test\n`;
  writeFileSync(join(tree, 'DEBIAN/control'), control);
  const deb = join(folder, `${name}.deb`);
  execFileSync('dpkg-deb', ['--root-owner-group', '--build', tree, deb]);
  const bytes = readFileSync(deb);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  writeFileSync(
    join(folder, 'Packages'),
    `${control}Filename: ./${name}.deb\nSize: ${bytes.length}\nSHA256: ${sha256}\n`,
  );
  const list = join(folder, 'sources.list');
  writeFileSync(list, `deb [trusted=yes] copy:${folder} ./\n`);
  const status = join(folder, 'status');
  writeFileSync(status, '');
  const aptOptions = [
    ...['-o', `Dir::Etc::sourcelist=${list}`],
    ...['-o', 'Dir::Etc::sourceparts=/dev/null'],
    // Simulate a system without installed packages.
    ...['-o', `Dir::State::status=${status}`],
  ];
  return { aptOptions, deb };
}

function ensureFlite(aptOptions: string[], lines: string[], others: string[] = []) {
  return ensureSystemPackages({
    packages: [...others, 'flite'],
    privateDir: join(folder, 'private'),
    log: (line: string) => lines.push(line),
    install: 'private',
    systemPrefixes: [],
    aptOptions,
  });
}

describe('system packages', () => {
  it('are found on the system without logging anything', async () => {
    mkdirSync(join(folder, 'usr/bin'), { recursive: true });
    writeFileSync(join(folder, 'usr/bin/flite'), '#!/bin/sh\n', { mode: 0o755 });
    const lines: string[] = [];
    const { available } = await ensureSystemPackages({
      packages: ['flite'],
      privateDir: join(folder, 'private'),
      log: (line: string) => lines.push(line),
      systemPrefixes: [join(folder, 'usr')],
    });
    expect(available).toEqual({
      flite: { location: 'system', program: join(folder, 'usr/bin/flite'), env: {} },
    });
    expect(lines).toEqual([]);
    expect(existsSync(join(folder, 'private'))).toBe(false);
  });

  it('are grouped by purpose; unknown packages are rejected', async () => {
    expect(PRODUCT_PACKAGES).toEqual(['pocketsphinx', 'pocketsphinx-en-us', 'bzip2']);
    expect(TEST_PACKAGES).toEqual([
      ...[
        'chromium',
        'dbus',
        'opus-tools',
        'ffmpeg',
        'flite',
        'poppler-utils',
        'apache2-bin',
        'unzip',
      ],
      ...[
        'libreoffice-writer-nogui',
        'fonts-tlwg-garuda-ttf',
        'fonts-droid-fallback',
        'fonts-nanum',
      ],
    ]);
    await expect(
      ensureSystemPackages({ packages: ['emacs'], privateDir: folder, log: () => {} }),
    ).rejects.toThrow(RangeError);
  });
});

describe.skipIf(!hasApt() && !process.env.CI)('system packages without privileges', () => {
  it('are unpacked once into a private folder, where they run', async () => {
    const { aptOptions } = createPackageSource('flite');
    const lines: string[] = [];
    const first = await ensureFlite(aptOptions, lines);
    const { flite } = first.available;
    if (flite?.location !== 'private' || !flite.program) throw new Error(lines.join('\n'));
    expect(flite.program.startsWith(join(folder, 'private'))).toBe(true);
    expect(execFileSync(flite.program, { encoding: 'utf8' })).toBe('flite speaks\n');
    expect(lines.length).toBeGreaterThan(0);

    const secondRunLines: string[] = [];
    expect(await ensureFlite(aptOptions, secondRunLines)).toEqual(first);
    expect(secondRunLines).toEqual([]);
  });

  it('are rejected if their content does not match the package list', async () => {
    const { aptOptions, deb } = createPackageSource('flite');
    const bytes = readFileSync(deb);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    writeFileSync(deb, bytes);
    const { available } = await ensureFlite(aptOptions, []);
    expect(available.flite).toMatchObject({
      location: 'missing',
      hint: expect.stringMatching(/hash|size/i),
    });
  });

  it('are unpacked even if another package is unavailable', async () => {
    const { aptOptions } = createPackageSource('flite');
    const { available } = await ensureFlite(aptOptions, [], ['dbus']);
    expect(available.flite?.location).toBe('private');
    expect(available.dbus?.location).toBe('missing');
  });

  it('are reported as missing if no source has them', async () => {
    const { aptOptions } = createPackageSource('another-package');
    const lines: string[] = [];
    const { available } = await ensureFlite(aptOptions, lines);
    expect(available.flite?.location).toBe('missing');
    expect(lines.at(-1)).toContain('flite is missing');
  });
});
