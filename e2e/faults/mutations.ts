/** Planted defects that the invariants must detect. */
import { codes } from '@linnet/contract/codes';
import { DeviceError } from '@linnet/device/session';
import type { Action } from './actions.ts';
import type { InvariantName } from './invariants.ts';
import type { Tamper } from './phone-app.ts';
import type { Prepare } from './play.ts';
import type { FaultServer } from './server.ts';
import type { World } from './world.ts';

export type Mutation = {
  readonly name: string;
  /** The invariant that must detect the defect. */
  readonly expectedViolation: InvariantName;
  readonly actions: readonly Action[];
  /** True if the defect prevents the history from settling. */
  readonly isEndless?: true;
  readonly tamper?: Tamper;
  readonly prepare?: Prepare;
};

const transfer: readonly Action[] = [
  { do: 'record', words: 0b1111_0000_1111_0000 },
  { do: 'connect', phone: 0 },
];

export const mutations: readonly Mutation[] = [
  {
    name: 'the server charges transcriptions twice',
    expectedViolation: 'the minutes charged are those of transcribed audio',
    actions: transfer,
    prepare: chargeTimes(2),
  },
  {
    name: 'a phone forgets that recordings were deleted',
    expectedViolation: 'nothing that was deleted is back',
    actions: [...transfer, { do: 'settle' }, { do: 'delete', phone: 0, recording: 0 }],
    tamper: {
      changes: (changes) => ({
        apply: (ops) => changes.apply(ops),
        async changes(cursor) {
          const page = await changes.changes(cursor);
          if (!page.ok) return page;
          const keptChanges = page.data.changes.filter(({ kind }) => kind !== 'tombstone');
          return { ok: true, data: { ...page.data, changes: keptChanges } };
        },
      }),
    },
  },
  {
    name: 'a phone loses the second half of its audio files',
    isEndless: true,
    expectedViolation: 'a copy that is called verified is whole',
    actions: transfer,
    tamper: {
      audio: (audio) => ({
        ...audio,
        async master(id) {
          const file = await audio.master(id);
          return file?.slice(0, file.size / 2, file.type) ?? null;
        },
      }),
    },
  },
  {
    name: 'a recorder loses a session that is being read',
    isEndless: true,
    expectedViolation: 'every recording that was stopped is whole in a selected place',
    actions: transfer,
    tamper: {
      session: (session) => ({
        info: session.info,
        listSessions: () => session.listSessions(),
        deleteSession: (id) => session.deleteSession(id),
        onEvent: (listener) => session.onEvent(listener),
        async readSession(id) {
          await session.deleteSession(id);
          throw new DeviceError('session_unknown');
        },
      }),
    },
  },
  {
    name: 'a phone claims that its edits were sent',
    expectedViolation: 'each name and tag that the app has accepted is there',
    actions: [
      ...transfer,
      { do: 'settle' },
      { do: 'rename', phone: 0, recording: 0, text: 'Choir' },
    ],
    tamper: {
      changes: (changes) => ({
        changes: (cursor) => changes.changes(cursor),
        apply: async (ops) => ({
          ok: true,
          data: {
            rev: 0,
            results: ops.map(({ op_id, base_rev }) => ({
              ...({ op_id, outcome: 'applied', rev: base_rev } as const),
              ...{ code: codes.ok, msg: '' },
            })),
          },
        }),
      }),
    },
  },
  {
    name: 'an upload whose response is lost is registered under another id',
    expectedViolation: 'no recording exists twice',
    actions: transfer,
    tamper: {
      cloud: (cloud) => ({
        ...cloud,
        async upload(facts, ...rest) {
          await cloud.upload({ ...facts, id: crypto.randomUUID() }, ...rest);
          return cloud.upload(facts, ...rest);
        },
      }),
    },
  },
  {
    name: 'the server doesn’t charge transcriptions',
    expectedViolation: 'the minutes charged are those of transcribed audio',
    actions: transfer,
    prepare: chargeTimes(0),
  },
  {
    name: 'a phone waits for an answer forever',
    isEndless: true,
    expectedViolation: 'nothing is stuck',
    actions: transfer,
    tamper: {
      cloud: (cloud) => ({ ...cloud, check: () => Promise.withResolvers<never>().promise }),
    },
  },
  {
    name: 'a phone hides why a recording isn’t transcribed',
    isEndless: true,
    expectedViolation: 'every refusal was shown',
    actions: [{ do: 'spend_minutes', remaining: 0 }, ...transfer],
    tamper: {
      records: (records) => ({
        ...records,
        update: (id, { problem: _, ...patch }) => records.update(id, patch),
      }),
    },
  },
  {
    name: 'a phone omits audio from live text',
    expectedViolation: 'live text has the words that were spoken',
    actions: [
      { do: 'connect', phone: 0 },
      { do: 'press', words: 0b1111_1111_1111_1111 },
      { do: 'await_live_text', phone: 0 },
      { do: 'press', words: 0 },
    ],
    tamper: {
      // 60 packets (9600 bytes, 12,800 characters in Base64) are missing, and with them the first words.
      appendLive: (append) => (body, signal) =>
        append(body.first === 0 ? { ...body, packets: body.packets.slice(12_800) } : body, signal),
    },
  },
  {
    name: 'the store loses objects that it has confirmed',
    isEndless: true,
    expectedViolation: 'the cloud has each recording while it is selected',
    actions: transfer,
    tamper: { cloud: damageUploads((server, id) => server.loseObject(id)) },
  },
  {
    name: 'the store loses half of each object that it has confirmed',
    isEndless: true,
    expectedViolation: 'the cloud has each recording while it is selected',
    actions: transfer,
    tamper: { cloud: damageUploads((server, id) => server.halveObject(id)) },
  },
];

/** Makes the store damage each object after confirming its upload. */
function damageUploads(
  damage: (server: FaultServer, id: string) => Promise<void>,
): NonNullable<Tamper['cloud']> {
  return (cloud, server) => ({
    ...cloud,
    async upload(facts, ...rest) {
      const uploaded = await cloud.upload(facts, ...rest);
      if (uploaded.ok) await damage(server, facts.id);
      return uploaded;
    },
  });
}

/** Makes the server charge an account a multiple of the minutes. */
function chargeTimes(factor: number): (world: World) => Promise<void> {
  return async ({ server, account }) => {
    const name = `charge_${account.id.replaceAll('-', '')}`;
    await server.rows(`create function ${name}() returns trigger language plpgsql as $$
      begin
        new.minutes = new.minutes * ${factor};
        return new;
      end $$`);
    await server.rows(`create trigger ${name} before update on minute_charges for each row
      when (new.account_id = '${account.id}' and new.state = 'settled') execute function ${name}()`);
  };
}
