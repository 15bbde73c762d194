import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../apps/server/src/config/index.ts';
import { readStdout } from '../command-line.ts';
import {
  fillSecrets,
  findScript,
  listFiles,
  parseCliCommand,
  readEnvironment,
  readText,
  root,
  variableNames,
} from '../files.ts';

type Section = ReadonlyMap<string, readonly string[]>;

/** Parses a unit. @throws Error at a line that systemd wouldn't understand */
function readUnit(path: string): ReadonlyMap<string, Section> {
  const sections = new Map<string, Map<string, string[]>>();
  let current: Map<string, string[]> | undefined;
  for (const line of readText(path).split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, section] = /^\[(\w+)\]$/.exec(line) ?? [];
    const [, key, value] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
    if (section !== undefined) {
      current = new Map();
      sections.set(section, current);
    } else if (key !== undefined && value !== undefined && current) {
      current.set(key, [...(current.get(key) ?? []), value]);
    } else {
      throw new Error(`${path}: ${line}`);
    }
  }
  return sections;
}

const units = listFiles('systemd')
  .filter((file) => /\.(?:service|timer)$/.test(file))
  .map((file) => [file.slice('systemd/'.length), readUnit(file)] as const);
const services = units.flatMap(([name, unit]) => {
  const service = unit.get('Service');
  return service ? [[name, service] as const] : [];
});
const names = units.map(([name]) => name);
const lastValue = (section: Section | undefined, key: string) => section?.get(key)?.at(-1);

describe('units', () => {
  it('refer only to existing units and pages', () => {
    for (const [name, unit] of units) {
      const general = unit.get('Unit');
      const others = ['After', 'Requires', 'Wants', 'Conflicts'].flatMap((key) =>
        (general?.get(key) ?? []).flatMap((value) => value.split(' ')),
      );
      for (const other of others.filter((value) => value.startsWith('linnet'))) {
        expect(names, `${name}: ${other}`).toContain(other);
      }
      const page = lastValue(general, 'Documentation')?.replace('file:///opt/linnet/', '') ?? '';
      expect(existsSync(join(root, page)), `${name}: ${page}`).toBe(true);
    }
  });

  it('start even if a unit that runs once has failed', () => {
    // systemd starts a unit only if all the units that it requires have started, and doesn't try again later.
    const once = services
      .filter(([, service]) => lastValue(service, 'Type') === 'oneshot')
      .map(([name]) => name);
    expect(once).toContain('linnet-migrate.service');
    const strict = ['Requires', 'Requisite', 'BindsTo'];
    for (const [name, unit] of units) {
      const general = unit.get('Unit');
      const required = strict.flatMap((key) => general?.get(key) ?? []);
      for (const other of required.flatMap((value) => value.split(' '))) {
        expect(once, `${name}: ${other}`).not.toContain(other);
      }
    }
    for (const name of ['linnet-api.service', 'linnet-worker@.service']) {
      const general = units.find(([unit]) => unit === name)?.[1].get('Unit');
      for (const key of ['Wants', 'After']) {
        expect(lastValue(general, key)?.split(' '), name).toContain('linnet-migrate.service');
      }
    }
  });

  it.each(services)('run an existing script, with the project’s Node version: %s', (_, service) => {
    const command = lastValue(service, 'ExecStart') ?? '';
    expect(existsSync(join(root, findScript(command) ?? ''))).toBe(true);
    expect(lastValue(service, 'WorkingDirectory')).toBe('/opt/linnet');
    // The start script installs the project's Node, and so can't run on it.
    expect(command).toMatch(
      /\/opt\/linnet\/node_modules\/\.bin\/node |^\/usr\/bin\/env node tooling\/start\.mjs$/,
    );
  });

  it.each(services)('run as an ordinary user who can write only to DATA_DIR: %s', (_, service) => {
    const expected = {
      ...{ User: 'linnet', UMask: '0077', NoNewPrivileges: 'yes', CapabilityBoundingSet: '' },
      ...{ ProtectSystem: 'strict', ProtectHome: 'yes', PrivateTmp: 'yes', PrivateDevices: 'yes' },
      ...{ StateDirectory: 'linnet', StateDirectoryMode: '0700' },
      // A call that isn't listed fails, instead of killing the process.
      ...{ SystemCallFilter: '@system-service', SystemCallErrorNumber: 'EPERM' },
      Environment: 'DATA_DIR=/var/lib/linnet',
    };
    for (const [key, value] of Object.entries(expected)) {
      expect(service.get(key)?.[0], key).toBe(value);
    }
    // JIT compilers write code to memory.
    expect(service.has('MemoryDenyWriteExecute')).toBe(false);
    expect(service.get('EnvironmentFile')).toEqual(['/etc/linnet/linnet.env']);
  });

  it('stop before they are killed, and are not restarted with an invalid configuration', () => {
    const processes = services.filter(([, service]) => lastValue(service, 'Type') === 'exec');
    expect(processes.map(([name]) => name)).toEqual([
      ...['linnet-api.service', 'linnet-worker@.service', 'linnet.service'],
    ]);
    for (const [name, service] of processes) {
      const seconds = Number(lastValue(service, 'TimeoutStopSec'));
      expect(seconds, name).toBeGreaterThanOrEqual(name === 'linnet.service' ? 60 : 20);
      if (name === 'linnet.service') continue;
      expect(lastValue(service, 'Restart')).toBe('always');
      expect(lastValue(service, 'RestartPreventExitStatus')).toBe('78');
      expect(lastValue(service, 'MemoryMax')).toMatch(/^\d+[MG]$/);
    }
  });

  it('give each worker a port of its own', () => {
    const worker = services.find(([name]) => name === 'linnet-worker@.service')?.[1];
    expect(worker?.get('Environment')).toContain('METRICS_PORT=%i');
  });

  it('run commands that the CLI has', async () => {
    const help = await readStdout(['--help']);
    const commands = services.flatMap(
      ([, service]) => parseCliCommand(lastValue(service, 'ExecStart') ?? '')?.join(' ') ?? [],
    );
    expect(commands).toEqual(['backup', 'migrate']);
    for (const command of commands) expect(help).toMatch(new RegExp(`^ {2}${command}`, 'm'));
  });

  it('have an example environment that is a valid configuration', () => {
    const example = readEnvironment('systemd/linnet.env.example');
    for (const name of Object.keys(example)) expect(variableNames).toContain(name);
    expect(readConfig(fillSecrets(example))).toMatchObject({
      ...{ origin: 'https://linnet.example', HOST: '127.0.0.1' },
    });
  });
});
