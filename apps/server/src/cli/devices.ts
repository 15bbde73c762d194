import { readFile } from 'node:fs/promises';
import { type RegisteredDevice, registerDevices } from '../modules/device/service.ts';
import { CommandFailure, command, formatTable } from './command.ts';

export const deviceCommands = [
  command({
    name: 'devices add',
    description: 'register a recorder',
    positionals: { serial: 'the serial number' },
    options: { name: { value: 'name' }, project: { value: 'code' }, key: { value: 'public key' } },
    async run({ db }, { serial }, { name = '', project = '', key }) {
      const publicKey = key === undefined ? undefined : readKey(key);
      const added = await registerDevices(db, [
        { sn: serial, name, projectCode: project, publicKey },
      ]);
      return added > 0 ? `${serial} is registered` : `${serial} was already registered`;
    },
  }),

  command({
    name: 'devices import',
    description: 'register recorders from a CSV file: serial,name,project,public key',
    positionals: { 'file.csv': 'the file' },
    async run({ db }, { 'file.csv': file }) {
      const devices = parseCsv(await readFile(file, 'utf8'));
      const added = await registerDevices(db, devices);
      return `${added} registered, ${devices.length - added} were already registered`;
    },
  }),

  command({
    name: 'devices list',
    description: 'list registered recorders and whether they are bound',
    async run({ db }) {
      const rows = await db
        .selectFrom('devices')
        .leftJoin('bindings', 'bindings.sn', 'devices.sn')
        .select(['devices.sn', 'devices.name', 'bindings.bound_at'])
        .orderBy('devices.sn')
        .execute();
      return formatTable(
        rows.map(({ sn, name, bound_at: at }) => [
          sn,
          name,
          at ? `bound ${toIsoString(at)}` : 'free',
        ]),
        'no registered recorders',
      );
    },
  }),
];

const toIsoString = (at: Date) => at.toISOString();

/** Validates a public key. @throws CommandFailure unless the string is a 32-byte Ed25519 key in hex */
function readKey(text: string): string {
  const key = text.toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(key)) {
    throw new CommandFailure(`"${text}" is not a public key of 64 hexadecimal digits`);
  }
  return key;
}

/**
 * Parses lines with serial number, name, project and public key. Only the serial number is required. A first line that
 * starts with `sn` or `serial` is a header.
 */
function parseCsv(text: string): RegisteredDevice[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map(readCells)
    .filter(([sn = ''], index) => sn !== '' && !(index === 0 && /^(sn|serial)/i.test(sn)))
    .map(([sn = '', name = '', projectCode = '', key = '']) => ({
      ...{ sn, name, projectCode },
      publicKey: key === '' ? undefined : readKey(key),
    }));
}

/** Returns the cells of a line. A quoted cell may contain separators and doubled quotes (RFC 4180). */
function readCells(line: string): string[] {
  const cells = line.matchAll(/ *(?:"((?:[^"]|"")*)" *|([^,;\t]*))(?:[,;\t]|$)/g);
  return Array.from(cells, ([, quoted, plain = '']) =>
    (quoted?.replaceAll('""', '"') ?? plain).trim(),
  );
}
