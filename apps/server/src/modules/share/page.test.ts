import { brotliDecompressSync } from 'node:zlib';
import { codes } from '@linnet/contract/codes';
import { interfaceLanguages } from '@linnet/contract/interface-languages';
import { shareParts } from '@linnet/contract/statuses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { openBrowser, recordingToShare, share, shared } from '../../../test/share.ts';
import { createPhone } from '../../../test/sync.ts';
import { emptyDocument } from '../../../test/transcripts.ts';
import { words } from '../../words/index.ts';

let server: TestServer;
let owner: Account;
beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
});
afterAll(() => server.close());

const all = [...shareParts];
const token = ({ access }: Account) => ({ token: access });
const visit = (path: string, headers?: Record<string, string>) =>
  openBrowser(server).get(path, headers);
const loadText = async (path: string) => (await visit(path)).body;

describe('a link’s page', () => {
  it.each([
    ['transcript', shared.spoken[0]],
    ['summary', shared.summary],
    ['todos', shared.todo],
    ['audio', '<audio'],
  ] as const)('shows only the %s, if only that is shared', async (part, own) => {
    const { id } = await recordingToShare(server, owner);
    const { path } = await share(server, owner, id, [part]);
    const response = await visit(path);
    expect(response.statusCode).toBe(200);
    expect(response.body).toContain('A recording');
    const others = [shared.spoken[0], shared.summary, shared.todo, '<audio'];
    for (const text of others) expect(response.body.includes(text), text).toBe(text === own);
    const audio = await visit(`${path}/audio`);
    expect(audio.statusCode).toBe(part === 'audio' ? 200 : 404);
  });

  it('shows to-dos only in their own section, even if the summary has a section of to-dos', async () => {
    const { id, taskId } = await recordingToShare(server, owner);
    const item = (text: string) => ({ id: text, text, paragraph_id: '', start_time: 0 });
    const sections = [
      { heading: 'decisions', items: [item('Close the bridge')] },
      { heading: 'todos', items: [item(shared.todo)] },
    ];
    const store = (structure: 'meeting' | 'custom') => {
      const { todos } = emptyDocument;
      const todo = { ...item(shared.todo), who: null, when: null, due: null };
      const document = {
        ...emptyDocument,
        structure,
        structures: { [structure]: { sections } },
        todos: [...todos, todo],
      };
      return server.db
        .updateTable('tasks')
        .set({ summary_json: JSON.stringify(document) })
        .where('id', '=', taskId)
        .execute();
    };
    const summary = await share(server, owner, id, ['summary']);
    const linkToBoth = await share(server, owner, id, ['summary', 'todos']);
    const countIn = async ({ path }: { path: string }) => {
      const page = await loadText(path);
      expect(page).toContain('Close the bridge');
      return page.split(shared.todo).length - 1;
    };
    await store('meeting');
    expect(await countIn(summary)).toBe(0);
    expect(await countIn(linkToBoth)).toBe(1);
    // The user wrote this structure and its headings.
    await store('custom');
    expect(await countIn(summary)).toBe(1);
  });

  it('shows the current names, edits and ticks', async () => {
    const { id, clientFlag, paragraphs } = await recordingToShare(server, owner);
    const { path } = await share(server, owner, id, all);
    const first = await loadText(path);
    expect(first).toContain('Speaker 1');
    expect(first).not.toContain('Done');
    const phone = createPhone(server, owner);
    const target = { recording: clientFlag };
    await phone.applyOne({ type: 'recording.speaker', ...target, speaker: '1', name: 'Margaret' });
    await phone.applyOne({ type: 'recording.rename', ...target, name: 'At the mill' });
    await phone.applyOne({ type: 'recording.tick', ...target, item: 'todo-1', done: true });
    await server.call(
      'task/modify-paragraph',
      { id: paragraphs[0], radio_file_id: id, content: 'We meet at the new mill.' },
      token(owner),
    );
    const secondText = await loadText(path);
    for (const text of ['Margaret', 'At the mill', 'Done', 'We meet at the new mill.']) {
      expect(secondText).toContain(text);
    }
    expect(secondText).not.toContain('Speaker 1<');
    expect(secondText).not.toContain(shared.spoken[0]);
  });

  it('plays the stored audio, in ranges and without caching it in the browser', async () => {
    const { id } = await recordingToShare(server, owner);
    const { path } = await share(server, owner, id, ['audio', 'transcript']);
    const completeAudio = await visit(`${path}/audio`);
    expect(completeAudio.headers).toMatchObject({
      'content-type': 'audio/wav',
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
    });
    expect(completeAudio.rawPayload).toHaveLength(48_044);
    const range = await visit(`${path}/audio`, { range: 'bytes=4-7' });
    expect(range.statusCode).toBe(206);
    expect(range.rawPayload).toEqual(completeAudio.rawPayload.subarray(4, 8));
    expect(await loadText(path)).toContain('data-start="1"');
  });

  it('reports missing parts, and offers no positions without audio', async () => {
    const { id } = await recordingToShare(server, owner);
    const { path } = await share(server, owner, id, all);
    await server.db.deleteFrom('tasks').where('recording_id', '=', id).execute();
    await server.db
      .updateTable('recordings')
      .set({ lost_at: server.now(), brief: '' })
      .where('id', '=', id)
      .execute();
    const page = await loadText(path);
    expect(page.match(/Not available yet\./g)).toHaveLength(3);
    // Treat lost audio as missing.
    expect(page.match(/Not available\./g)).toHaveLength(1);
    expect(page).not.toContain('data-start=');
    expect((await visit(`${path}/audio`)).statusCode).toBe(404);
  });

  it('reports that a transcribed recording has no to-dos', async () => {
    const { id, taskId } = await recordingToShare(server, owner);
    await server.db
      .updateTable('tasks')
      .set({ summary_json: JSON.stringify(emptyDocument) })
      .where('id', '=', taskId)
      .execute();
    const page = await loadText((await share(server, owner, id, ['todos'])).path);
    expect(page).toContain('None.');
    expect(page).not.toContain('Not available');
  });

  it('is private: no frames, no foreign scripts, no search engines, no caching', async () => {
    const { id } = await recordingToShare(server, owner);
    const { path } = await share(server, owner, id, all);
    const { headers, body } = await visit(path);
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-robots-tag': expect.stringContaining('noindex'),
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers['set-cookie']).toBeUndefined();
    expect(body).toContain('<meta name="robots" content="noindex');
    // Nothing is loaded from other origins.
    expect(body).not.toMatch(/https?:/);
  });

  it('escapes hostile names, texts and summaries', async () => {
    const maliciousText = `</p></script><script>alert(1)</script><img src=x onerror="alert(1)">' "&`;
    const { id, clientFlag, taskId } = await recordingToShare(
      server,
      owner,
      [maliciousText, maliciousText],
      maliciousText,
    );
    const phone = createPhone(server, owner);
    const target = { recording: clientFlag };
    await phone.applyOne({ type: 'recording.rename', ...target, name: maliciousText });
    await phone.applyOne({
      type: 'recording.speaker',
      ...target,
      speaker: '1',
      name: maliciousText.slice(0, 80),
    });
    const item = { id: 'i', text: maliciousText, paragraph_id: '', start_time: 0 };
    const todo = {
      ...item,
      id: 'todo-1',
      who: maliciousText,
      when: maliciousText,
      due: maliciousText,
    };
    const sections = [
      { heading: maliciousText, items: [item] },
      { heading: 'constructor', items: [item] },
      { heading: '[a](javascript:alert(1))', items: [{ ...item, text: '**b** <u>c</u>' }] },
    ];
    const document = {
      ...emptyDocument,
      structure: 'custom' as const,
      structures: { custom: { sections } },
      todos: [todo],
    };
    await server.db
      .updateTable('tasks')
      .set({ summary_json: JSON.stringify(document) })
      .where('id', '=', taskId)
      .execute();
    await server.db
      .updateTable('recordings')
      .set({ brief: maliciousText })
      .where('id', '=', id)
      .execute();
    const { path } = await share(server, owner, id, all);
    for (const language of interfaceLanguages) {
      const { body } = await visit(path, { 'accept-language': language.language });
      expect(body.split('&lt;script&gt;').length).toBeGreaterThan(10);
      // The page contains no other style or script.
      expect(body.match(/<script/gi)).toHaveLength(1);
      expect(body.match(/<style/gi)).toHaveLength(1);
      expect(body.match(/<img/gi)).toHaveLength(1);
      // Every quotation mark within an attribute is escaped, so no attribute can be injected.
      expect(body.replace(/<script>[\s\S]*<\/script>/, '')).not.toMatch(/<[^>]*\son\w+=/i);
      expect(body).not.toMatch(/href="javascript/i);
      expect(body).toContain('**b** &lt;u&gt;c&lt;/u&gt;');
    }
  });

  it('has at most 60 KB for an hour of speech', async () => {
    // 150 words per minute, in distinct paragraphs of 50 words.
    const word = (n: number) => `w${(n * 2_654_435_761).toString(36).slice(-5)}`;
    const paragraphs = Array.from({ length: 180 }, (_, paragraph) =>
      Array.from({ length: 50 }, (_word, n) => word(paragraph * 50 + n)).join(' '),
    );
    const { id } = await recordingToShare(server, owner, paragraphs);
    const { path } = await share(server, owner, id, all);
    const icon = 4096;
    const hour = await visit(path, { 'accept-encoding': 'gzip, br' });
    expect(hour.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(hour.rawPayload).toString()).toContain(paragraphs[179]);
    expect(hour.rawPayload.length + icon).toBeLessThan(60 * 1024);
    // A short recording needs no compression.
    const shortRecording = await recordingToShare(server, owner);
    const link = await share(server, owner, shortRecording.id, all);
    const plainResponse = await visit(link.path);
    expect(plainResponse.headers['content-encoding']).toBeUndefined();
    expect(plainResponse.rawPayload.length + icon).toBeLessThan(60 * 1024);
  });
});

describe.each(interfaceLanguages)('a link’s page in $language', ({ language, direction }) => {
  it('has its texts and its direction', async () => {
    const { id } = await recordingToShare(server, owner);
    const { path } = await share(server, owner, id, all);
    const { body, headers } = await visit(path, { 'accept-language': `${language};q=0.9, xx` });
    expect(body).toContain(`<html lang="${language}" dir="${direction}">`);
    expect(headers['content-language']).toBe(language);
    const { transcript, summary, todos } = words[language].share;
    for (const text of [transcript, summary, todos]) expect(body).toContain(`<h2>${text}</h2>`);
    const invalid = await visit('/s/none', { 'accept-language': language });
    expect(invalid.body).toContain(words[language].share.invalidTitle);
  });
});

describe('a link', () => {
  it('is valid until it expires, is revoked, or its recording or account is deleted', async () => {
    const account = await server.register();
    const { id } = await recordingToShare(server, account);
    const make = () => share(server, account, id, all);
    const expiring = await share(server, account, id, all, { expires_days: 1 });
    const revoked = await make();
    const keptShare = await make();
    const reader = openBrowser(server);
    const fetchStatus = async ({ path }: { path: string }) => {
      const [page, audio] = [await reader.get(path), await reader.get(`${path}/audio`)];
      expect(audio.statusCode).toBe(page.statusCode);
      if (page.statusCode === 404) pages.add(JSON.stringify([page.body, withoutDate(page)]));
      return page.statusCode;
    };
    const withoutDate = ({ headers }: Awaited<ReturnType<typeof visit>>) => ({
      ...headers,
      date: null,
    });
    const pages = new Set<string>();
    expect([await fetchStatus(expiring), await fetchStatus(revoked)]).toEqual([200, 200]);

    await server.call('share/revoke', { id: revoked.id }, token(account));
    expect(await fetchStatus(revoked)).toBe(404);
    server.advanceClock(86_401);
    try {
      expect(await fetchStatus(expiring)).toBe(404);
      expect(await fetchStatus(keptShare)).toBe(200);
    } finally {
      server.advanceClock(-86_401);
    }
    await server.call('radio/delete', { id }, token(account));
    expect(await fetchStatus(keptShare)).toBe(404);
    await server.call('radio/recover', { ids: [id] }, token(account));
    expect(await fetchStatus(keptShare)).toBe(200);

    const other = await recordingToShare(server, account);
    const deletedLink = await share(server, account, other.id, all);
    await server.call('radio/batchDelete', { ids: [other.id] }, token(account));
    expect(await fetchStatus(deletedLink)).toBe(404);
    const closing = await server.call(
      'user/deactivation',
      { password: account.password },
      token(account),
    );
    expect(closing.code).toBe(codes.ok);
    expect(await fetchStatus(keptShare)).toBe(404);

    const unknown = { path: `/s/${'0'.repeat(64)}` };
    expect(await fetchStatus(unknown)).toBe(404);
    expect(await fetchStatus({ path: '/s/x' })).toBe(404);
    // The responses are indistinguishable.
    expect(pages.size).toBe(1);
  });

  it.each([
    ['views', '', 'share-view'],
    ['requests for the audio', '/audio', 'share-audio'],
  ])('limits the %s per network and in total', async (_, suffix, name) => {
    const { id } = await recordingToShare(server, owner);
    const { path } = await share(server, owner, id, all);
    const statusFor = async (address: string) =>
      (await openBrowser(server, address).get(path + suffix)).statusCode;
    const exhaust = (counter: string) =>
      server.db
        .updateTable('rate_windows')
        .set({ count: 1_000_000 })
        .where('key', 'like', `${counter}:%`)
        .execute();
    expect(await statusFor('203.0.113.70')).toBe(200);
    await exhaust(`${name}-reader`);
    expect(await statusFor('203.0.113.70')).toBe(429);
    expect(await statusFor('203.0.113.71')).toBe(200);
    await exhaust(name);
    expect(await statusFor('203.0.113.72')).toBe(429);
    // Other links have their own limits.
    const other = await share(server, owner, id, all);
    expect((await visit(other.path + suffix)).statusCode).toBe(200);
  });

  it('gives access to nothing else', async () => {
    const [mine, secret] = [
      await recordingToShare(server, owner),
      await recordingToShare(server, owner, ['The strongbox is open.']),
    ];
    const link = await share(server, owner, mine.id, ['transcript', 'audio']);
    const { body } = await visit(link.path);
    // The source of the page contains no IDs, file names or URLs except its own URL.
    const known = [mine.id, mine.taskId, mine.clientFlag, owner.id, owner.email, secret.id];
    for (const text of [...known, ...mine.paragraphs, 'voice/']) {
      expect(body).not.toContain(text);
    }
    const tokenText = link.path.split('/').at(-1) ?? '';
    expect(body.match(/[0-9a-f]{32,}/g)?.every((digits) => digits === tokenText)).toBe(true);
    const addresses = [...body.matchAll(/(?:src|href|action)="([^"]*)"/g)].map(([, url]) => url);
    expect(new Set(addresses)).toEqual(new Set([`${link.path}/audio`, '/icons/linnet.svg']));

    // The token isn't valid for calls, and no other token can be derived from it.
    expect((await server.call('task/index', {}, { token: tokenText })).code).toBe(
      codes.tokenInvalid,
    );
    const [id, signature] = [tokenText.slice(0, 32), tokenText.slice(32)];
    const otherId = (await share(server, owner, secret.id, ['transcript'])).path.slice(3, 35);
    const flipped = signature.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    const forgedNames = [
      id,
      id + flipped,
      otherId + signature,
      secret.id.replaceAll('-', '') + signature,
      tokenText.toUpperCase(),
      `${tokenText}0`,
      `${tokenText}/..`,
      `${tokenText}/summary`,
      `${tokenText}%00`,
      '../api/docs',
    ];
    for (const name of forgedNames) {
      const response = await visit(`/s/${name}`);
      expect(response.body, name).not.toContain(shared.spoken[0]);
      expect(response.body, name).not.toContain('strongbox');
    }
    for (const path of ['/s', '/s/', ...forgedNames.slice(0, 6).map((name) => `/s/${name}`)]) {
      expect((await visit(path)).statusCode, path).toBe(404);
    }
  });
});

describe('a link with a password', () => {
  const password = 'a quiet mill pond';
  // Use another account, because the free minutes of one account aren't enough for all recordings.
  beforeAll(async () => {
    owner = await server.register();
  });

  it('reveals nothing before the password is entered', async () => {
    const { id } = await recordingToShare(server, owner);
    const { path, id: linkId } = await share(server, owner, id, all, { password });
    const reader = openBrowser(server);
    const form = await reader.get(path);
    expect(form.statusCode).toBe(200);
    for (const text of ['A recording', shared.spoken[0], shared.summary, shared.todo, '<audio']) {
      expect(form.body).not.toContain(text);
    }
    expect((await reader.get(`${path}/audio`)).statusCode).toBe(404);
    const wrongResponse = await reader.enter(path, 'a loud mill pond');
    expect([wrongResponse.statusCode, wrongResponse.headers['set-cookie']]).toEqual([
      403,
      undefined,
    ]);
    expect(wrongResponse.body).toContain('Incorrect password');

    const rightResponse = await reader.enter(path, password);
    expect([rightResponse.statusCode, rightResponse.headers.location]).toEqual([303, path]);
    const cookie = String(rightResponse.headers['set-cookie']);
    expect(cookie).toContain(`; Path=${path};`);
    expect(cookie).toMatch(/; HttpOnly; SameSite=Lax$/);
    expect((await reader.get(path)).body).toContain(shared.spoken[0]);
    expect((await reader.get(`${path}/audio`)).statusCode).toBe(200);
    // Only the page counts as a view, not the form.
    const { data } = await server.call('share/index', { id }, token(owner));
    expect(data.list.find((link) => link.id === linkId)?.view_count).toBe(1);
  });

  it('has a cookie that opens no other link, and expires or becomes invalid with the password', async () => {
    const { id } = await recordingToShare(server, owner);
    const [first, second] = [
      await share(server, owner, id, all, { password }),
      await share(server, owner, id, all, { password }),
    ];
    const reader = openBrowser(server);
    await reader.enter(first.path, password);
    const [cookie] = reader.cookies;
    const opens = async (path: string, pair = cookie?.pair ?? '') =>
      (await visit(path, { cookie: `theme=dark; ${pair}` })).body.includes(shared.spoken[0]);
    expect(await opens(first.path)).toBe(true);
    expect(await opens(second.path)).toBe(false);
    const [name = '', value = ''] = (cookie?.pair ?? '').split('=');
    const [, signature] = value.split('.');
    expect(await opens(first.path, `${name}=99999999999.${signature}`)).toBe(false);
    server.advanceClock(12 * 3600 + 1);
    expect(await opens(first.path)).toBe(false);
    server.advanceClock(-12 * 3600 - 1);
    expect(await opens(first.path)).toBe(true);
    const row = server.db.updateTable('share_links').where('id', '=', first.id);
    const other = await server.db
      .selectFrom('share_links')
      .select('password_hash')
      .where('id', '=', second.id)
      .executeTakeFirstOrThrow();
    await row.set(other).execute();
    expect(await opens(first.path)).toBe(false);
  });

  it('has a secure cookie and the public URL behind a proxy with TLS', async () => {
    const remote = await startTestServer({ PUBLIC_URL: 'https://linnet.example' });
    try {
      const account = await remote.register();
      const { id } = await recordingToShare(remote, account);
      const body = { id, parts: all, password };
      const { data } = await remote.call('share/create', body, token(account));
      expect(data.url).toMatch(/^https:\/\/linnet\.example\/s\//);
      const opened = await openBrowser(remote).enter(new URL(data.url).pathname, password);
      expect(String(opened.headers['set-cookie'])).toMatch(/; Secure$/);
    } finally {
      await remote.close();
    }
  });

  it('limits the attempts per network and in total', async () => {
    const { id } = await recordingToShare(server, owner);
    const { path } = await share(server, owner, id, all, { password });
    const attacker = openBrowser(server, '203.0.113.66');
    const statuses: number[] = [];
    for (let n = 0; n < 7; n += 1) {
      statuses.push((await attacker.enter(path, `guess number ${n}`)).statusCode);
    }
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429]);
    // Even the correct password is now rejected, but not from other networks.
    expect((await attacker.enter(path, password)).statusCode).toBe(429);
    expect((await openBrowser(server, '198.51.100.4').enter(path, password)).statusCode).toBe(303);
    const counter = server.db
      .updateTable('rate_windows')
      .where('key', 'like', 'share-password-link:%');
    await counter.set({ count: 100 }).execute();
    expect((await openBrowser(server, '198.51.100.5').enter(path, password)).statusCode).toBe(429);
  });

  it('does not count correct entries', async () => {
    const { id } = await recordingToShare(server, owner);
    const { path } = await share(server, owner, id, all, { password });
    await openBrowser(server, '198.51.100.6').enter(path, 'a wrong guess');
    const counters = () =>
      server.db
        .selectFrom('rate_windows')
        .select(['key', 'count'])
        .where('key', 'like', 'share-password-link:%')
        .orderBy('key')
        .execute();
    const before = await counters();
    const statuses = await Promise.all(
      [10, 11, 12, 13, 14].map(async (host) => {
        const reader = openBrowser(server, `198.51.100.${host}`);
        return (await reader.enter(path, password)).statusCode;
      }),
    );
    expect(statuses).toEqual(Array(5).fill(303));
    expect(await counters()).toEqual(before);
  });

  it('rejects forms that are too large or malformed', async () => {
    const { id } = await recordingToShare(server, owner);
    const { path } = await share(server, owner, id, all, { password });
    const reader = openBrowser(server);
    expect((await reader.enter(path, 'x'.repeat(10_000))).statusCode).toBe(404);
    expect((await reader.enter(path, 'x'.repeat(2000))).statusCode).toBe(403);
    const other = await server.app.inject({
      method: 'POST',
      url: path,
      payload: '<a>',
      headers: { host: 'localhost:8080', 'content-type': 'text/xml' },
    });
    expect(other.statusCode).toBe(404);
  });
});
