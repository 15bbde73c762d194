import { readFile } from 'node:fs/promises';
import { type RegisteredDevice, registerDevices } from '../modules/device/service.ts';
import { CommandFailure, command, table } from './command.ts';

export const deviceCommands = [
  command({
    name: 'devices add',
    about: 'register a recorder',
    operands: { serial: 'a serial number' },
    options: { name: { value: 'name' }, project: { value: 'code' }, key: { value: 'public key' } },
    async run({ db }, { serial }, { name = '', project = '', key }) {
      const publicKey = key === undefined ? undefined : readKey(key);
      const added = await registerDevices(db, [
        { sn: serial, name, projectCode: project, publicKey },
      ]);
      return added > 0 ? `${serial} is registered` : `${serial} was registered already`;
    },
  }),

  command({
    name: 'devices import',
    about: 'register many: serial,name,project,public key per line',
    operands: { 'file.csv': 'a file' },
    async run({ db }, { 'file.csv': file }) {
      const devices = parseCsv(await readFile(file, 'utf8'));
      const added = await registerDevices(db, devices);
      return `${added} registered, ${devices.length - added} were already`;
    },
  }),

  command({
    name: 'devices list',
    about: 'registered recorders, and whether they are bound',
    async run({ db }) {
      const rows = await db
        .selectFrom('devices')
        .leftJoin('bindings', 'bindings.sn', 'devices.sn')
        .select(['devices.sn', 'devices.name', 'bindings.bound_at'])
        .orderBy('devices.sn')
        .execute();
      return table(
        rows.map(({ sn, name, bound_at: at }) => [sn, name, at ? `bound ${iso(at)}` : 'free']),
        'no recorder is registered',
      );
    },
  }),
];

const iso = (at: Date) => at.toISOString();

/** @throws CommandFailure for what is not an Ed25519 key, 32 bytes in hex */
function readKey(text: string): string {
  const key = text.toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(key)) {
    throw new CommandFailure(`"${text}" is not a public key: 64 hexadecimal digits`);
  }
  return key;
}

/**
 * Lines of serial, name, project and public key; only the serial must be there. A first line that says `sn` or
 * `serial` is a heading.
 */
function parseCsv(text: string): RegisteredDevice[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1')))
    .filter(([sn = ''], index) => sn !== '' && !(index === 0 && /^(sn|serial)/i.test(sn)))
    .map(([sn = '', name = '', projectCode = '', key = '']) => ({
      ...{ sn, name, projectCode },
      publicKey: key === '' ? undefined : readKey(key),
    }));
}
