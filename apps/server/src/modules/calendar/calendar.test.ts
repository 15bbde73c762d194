import { codes } from '@linnet/contract/codes';
import ICAL from 'ical.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { transcribe } from '../../../test/transcripts.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const token = ({ access }: Account) => ({ token: access });
const create = async (owner: Account) =>
  (await server.call('calendar/create', {}, token(owner))).data.url;
const read = (url: string) => {
  const { pathname } = new URL(url);
  return server.app.inject({ url: pathname, headers: { host: 'localhost:8080' } });
};

/** Uploads a recording with a to-do due on a given day. */
async function record(owner: Account, text: string, due: string | null) {
  const recording = await uploadRecording(server, owner, toneWave(3, 8000), { ext: 'wav' });
  const transcribed = await transcribe(server, owner, recording.id, ['Order the seeds by Friday.']);
  const todo = { id: 'todo-1', text, paragraph_id: transcribed.paragraphs[0] ?? '', start_time: 0 };
  const todos = [{ ...todo, who: 'Anna', when: 'by Friday', due }];
  await transcribe(server, owner, recording.id, ['Order the seeds by Friday.'], [], todos);
  return recording;
}

describe('an account’s calendar', () => {
  it('contains the to-dos of its recordings, and events on their due dates', async () => {
    const [owner, other] = [await server.register(), await server.register()];
    const { client_flag: flag } = await record(owner, 'Order the seeds', '2026-06-12');
    const { client_flag: open } = await record(owner, 'Water the beans', '2026-06-14');
    await record(owner, 'Weed the beds', null);
    await record(other, 'Secret of another account', '2026-06-13');
    const head = { op_id: crypto.randomUUID(), base_rev: 0, at: server.now().toISOString() };
    const tick = { type: 'recording.tick', recording: flag, item: 'todo-1', done: true } as const;
    await server.call('sync/apply', { ops: [{ ...head, ...tick }] }, token(owner));

    const response = await read(await create(owner));
    expect(response.headers['content-type']).toBe('text/calendar; charset=utf-8');
    const calendar = new ICAL.Component(ICAL.parse(response.body));
    const todos = calendar.getAllSubcomponents('vtodo');
    const getValues = (name: string) => todos.map((each) => each.getFirstPropertyValue(name));
    expect(getValues('summary').sort()).toEqual([
      'Order the seeds',
      'Water the beans',
      'Weed the beds',
    ]);
    expect(getValues('status').sort()).toEqual(['COMPLETED', 'NEEDS-ACTION', 'NEEDS-ACTION']);
    // The event of the completed to-do has disappeared.
    const [event, ...others] = calendar
      .getAllSubcomponents('vevent')
      .map((each) => new ICAL.Event(each));
    expect(others).toEqual([]);
    expect(event?.uid).toBe(`event-${open}-todo-1@linnet`);
    expect(event?.startDate.toString()).toBe('2026-06-14');
    expect(event?.description).toBe('Anna\nby Friday\nA recording');
    expect(String(event?.component.getFirstPropertyValue('url'))).toMatch(
      new RegExp(`/pages/fileDetail\\?id=${open}&paragraph=`),
    );
  });

  it('keeps its URL until it is revoked or the password changes', async () => {
    const owner = await server.register();
    const get = async () => (await server.call('calendar/get', {}, token(owner))).data.url;
    expect(await get()).toBeNull();
    const first = await create(owner);
    expect([await create(owner), await get()]).toEqual([first, first]);
    expect((await read(first)).statusCode).toBe(200);
    expect((await server.call('calendar/revoke', {}, token(owner))).code).toBe(codes.ok);
    expect((await read(first)).statusCode).toBe(404);
    expect(await get()).toBeNull();

    const secondCalendar = await create(owner);
    expect(secondCalendar).not.toBe(first);
    const password = 'another good password';
    const change = { old_password: owner.password, password, repassword: password };
    await server.call('user/updatePassword', change, token(owner));
    expect((await read(secondCalendar)).statusCode).toBe(404);
  });

  it('has an unguessable URL', async () => {
    const owner = await server.register();
    const url = await create(owner);
    const [sessionId = '', signature = ''] = url.slice(url.lastIndexOf('/') + 1).split('.');
    const { data } = await server.call('user/sessions', {}, token(owner));
    // The calendar's session isn't listed as a signed-in device.
    expect(data.list).toHaveLength(1);
    const names = [
      'x.ics',
      `${sessionId}.ics`,
      `${sessionId}..ics`,
      `${sessionId}.${signature.slice(1)}.ics`,
      `${sessionId}.${signature}`,
      `${sessionId}.${signature}.ics.ics`,
      `${data.list[0]?.id}.${signature}.ics`,
      `${crypto.randomUUID()}.${signature}.ics`,
    ];
    for (const name of names) {
      expect((await read(`http://localhost:8080/calendar/${name}`)).statusCode, name).toBe(404);
    }
  });
});
