import { readFile } from 'node:fs/promises';
import { codes } from '@linnet/contract/codes';
import { interfaceLanguages } from '@linnet/contract/interface-languages';
import { planIds } from '@linnet/contract/statuses';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { englishWords } from '../../../test/english-words.ts';
import { advanceClockTo, choose, runBilling } from '../../../test/orders.ts';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { readConfig } from '../../config/index.ts';
import { words } from '../../words/index.ts';
import { plansFor } from './plans.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ TRIAL_DAYS: '0' });
});
afterAll(() => server.close());

const loadOrder = async (account: Account, id: string) =>
  (await server.call('user/order', { id }, { token: account.access })).data;

it('the plan list contains the plans for sale', async () => {
  const { code, data } = await server.call('user/plans');
  expect(code).toBe(codes.ok);
  expect(data.list.map(({ id }) => id)).toEqual(planIds);
  expect(data.list[0]).toEqual({
    id: 'vip_monthly',
    kind: 'membership',
    months: 1,
    minutes: 1200,
    price: 999,
    full_price: 999,
    compared_with: null,
    currency: 'USD',
  });
  expect(data.list[2]).toMatchObject({ kind: 'package', minutes: 120, months: 0, price: 299 });
  expect(data.list[1]).toMatchObject({ full_price: 12 * 999, compared_with: 'monthly' });
  expect(data.list[2]).toMatchObject({ full_price: 299, compared_with: null });
});

describe('orders', () => {
  const call: TestServer['call'] = (name, body, options) => server.call(name, body, options);

  it('are pending until they are paid, and are listed newest first', async () => {
    const owner = await server.register();
    const token = { token: owner.access };
    const first = await call('user/pay', { plan: 'package_120' }, token);
    expect(first).toMatchObject({ code: codes.ok, data: { status: 'pending' } });
    expect(first.data.pay_url).toMatch(/^http:\/\/localhost:8080\/pay\/sandbox\//);
    const secondOrder = await call('user/pay', { plan: 'vip_annual' }, token);
    const { data: page } = await call('user/orderRecord', { limit: 1, page: 1 }, token);
    expect(page).toMatchObject({ total: 2, list: [{ id: secondOrder.data.order_id }] });
    const { data: next } = await call('user/orderRecord', { limit: 1, page: 2 }, token);
    expect(next.list).toMatchObject([
      { id: first.data.order_id, plan: 'package_120', price: 299, currency: 'USD', paid_at: null },
    ]);
    const { data: order } = await call('user/order', { id: first.data.order_id }, token);
    expect(order).toEqual(next.list[0]);
  });

  it('cannot be found from a different account or by an invalid ID', async () => {
    const owner = await server.register();
    const otherUser = await server.register();
    const { data } = await call('user/pay', { plan: 'package_120' }, { token: owner.access });
    const theirToken = { token: otherUser.access };
    const responses = [
      await call('user/order', { id: data.order_id }, theirToken),
      await call('user/order', { id: crypto.randomUUID() }, theirToken),
      await call('user/order', { id: 'nonsense' }, theirToken),
    ];
    for (const response of responses) expect(response).toEqual(responses[0]);
    expect(responses[0]).toMatchObject({ code: codes.notFound, data: null });
    expect((await call('user/orderRecord', {}, theirToken)).data.list).toEqual([]);
  });

  it.each([
    ['user/pay', {}],
    ['user/pay', { plan: 'gold' }],
    ['user/pay', { plan: 'package_120', return_path: 'https://elsewhere.example/' }],
    ['user/pay', { plan: 'package_120', return_path: '//elsewhere.example/' }],
    ['user/pay', { plan: 'package_120', return_path: '/pages/x?y' }],
    ['user/order', {}],
    ['user/order', { id: true }],
    ['user/orderRecord', { limit: 0 }],
  ] as const)('reject an invalid request to %s: %o', async (name, body) => {
    const { access } = await server.register();
    expect(await call(name, body, { token: access })).toMatchObject({
      code: codes.badRequest,
      data: null,
    });
  });

  it.each([
    'user/pay',
    'user/order',
    'user/orderRecord',
    'user/restore',
    'user/cancelRenewal',
  ] as const)('require a token for %s', async (name) => {
    const response = await call(name, { plan: 'package_120', id: 'x' });
    expect(response).toMatchObject({ code: codes.tokenInvalid, data: null });
  });

  it('cannot have their renewal canceled without a subscription', async () => {
    const { access } = await server.register();
    const response = await call('user/cancelRenewal', {}, { token: access });
    expect(response).toMatchObject({ code: codes.nothingToCancel, data: null });
  });
});

describe('the sandbox checkout', () => {
  const pay = async (account: Account, body: object) =>
    (await server.call('user/pay', body, { token: account.access })).data;
  const page = (payUrl: string) => {
    const { pathname, search } = new URL(payUrl);
    return server.app.inject({ method: 'GET', url: `${pathname}${search}` });
  };

  it('shows the plan and the sandbox notice, with a strict content security policy', async () => {
    const owner = await server.register();
    const { pay_url } = await pay(owner, { plan: 'vip_monthly' });
    const response = await page(pay_url);
    expect(response.statusCode).toBe(200);
    expect(response.body).toContain('Test checkout');
    expect(response.body).toContain('You won’t be charged');
    expect(response.body).toContain('Linnet VIP, monthly');
    expect(response.body).toContain('$9.99');
    expect(response.body).not.toMatch(/<script|javascript:|https?:\/\//);
    const policy = String(response.headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src 'self'/);
    expect(policy).not.toContain('unsafe');
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it.each(interfaceLanguages)('is in $language, with $direction text', async (entry) => {
    const { language, direction } = entry;
    const texts = words[language].checkout;
    const owner = await server.register();
    const { pay_url } = await pay(owner, { plan: 'vip_annual', language });
    const visibleText = (html: string) =>
      html
        .replace(/<style>.*<\/style>/s, '')
        .replace(/<[^>]+>/g, '\n')
        .replaceAll('&amp;', '&');
    const expectLanguage = (response: LightMyRequestResponse) => {
      expect(response.headers['content-language']).toBe(language);
      expect(response.body).toContain(`<html lang="${language}" dir="${direction}">`);
      if (language !== 'en') expect(visibleText(response.body)).not.toMatch(englishWords);
    };
    const pendingPage = await page(pay_url);
    expectLanguage(pendingPage);
    const format = { style: 'currency', currency: 'USD' } as const;
    const price = new Intl.NumberFormat(`${language}-u-nu-latn`, format).format(99.99);
    for (const text of [
      ...[texts.title, texts.testTitle, texts.testHint, words[language].plans.annual],
      texts.annualTerms,
      texts.simulateFailure,
      texts.cancel,
      price,
      texts.pay.replace('{price}', price),
    ]) {
      expect(visibleText(pendingPage.body)).toContain(text);
    }
    await choose(server, pay_url, 'success');
    const paid = await page(pay_url);
    expectLanguage(paid);
    expect(visibleText(paid.body)).toContain(texts.status.paid);
    expect(visibleText(paid.body)).toContain(texts.back);
    const missingResponse = await server.app.inject({
      url: '/pay/sandbox/nonsense',
      headers: { 'accept-language': `${language}, en;q=0.5` },
    });
    expect(missingResponse.statusCode).toBe(404);
    expectLanguage(missingResponse);
    expect(visibleText(missingResponse.body)).toContain(texts.notFound);
  });

  it('uses the browser’s language when the account has none', async () => {
    const owner = await server.register();
    const { pathname, search } = new URL((await pay(owner, { plan: 'package_600' })).pay_url);
    const { body } = await server.app.inject({
      url: `${pathname}${search}`,
      headers: { 'accept-language': 'ru-RU,ru;q=0.9' },
    });
    expect(body).toContain('Linnet, 600 минут');
    expect(body).toContain('<html lang="ru" dir="ltr">');
  });

  it("uses the app's colors", async () => {
    const tokens = await readFile(
      new URL('../../../../app/src/ui/tokens.css', import.meta.url),
      'utf8',
    );
    const owner = await server.register();
    const { body } = await page((await pay(owner, { plan: 'vip_monthly' })).pay_url);
    const colors = body.match(/--[\w-]+: light-dark\([^;]+;/g) ?? [];
    expect(colors.length).toBeGreaterThan(5);
    for (const color of colors) expect(tokens).toContain(color);
  });

  it.each([
    ['success', 'paid', 'success'],
    ['fail', 'failed', 'fail'],
    ['cancel', 'canceled', 'cancel'],
  ] as const)(
    'redirects to the app after %s, and makes the order %s',
    async (choice, status, returnStatus) => {
      const owner = await server.register();
      const body = { plan: 'package_120', return_path: '/pages/purchaseRecord/minutes' };
      const { order_id, pay_url } = await pay(owner, body);
      const response = await choose(server, pay_url, choice);
      expect(response.statusCode).toBe(303);
      expect(response.headers.location).toBe(
        `/pages/purchaseRecord/minutes?order=${order_id}&status=${returnStatus}`,
      );
      const order = await loadOrder(owner, order_id);
      expect(order.status).toBe(status);
      expect(order.paid_at === null).toBe(status !== 'paid');
      const { data } = await server.call('user/leftMinute', {}, { token: owner.access });
      expect(data.package_minutes).toBe(status === 'paid' ? 120 : 0);
      // The first choice is final.
      const secondChoice = await choose(
        server,
        pay_url,
        choice === 'success' ? 'cancel' : 'success',
      );
      expect(secondChoice.headers.location).toBe(response.headers.location);
      expect((await loadOrder(owner, order_id)).status).toBe(status);
      expect((await page(pay_url)).body).toContain('Back to Linnet');
    },
  );

  it('fulfills the order once, even when submitted several times at once', async () => {
    const owner = await server.register();
    const { pay_url } = await pay(owner, { plan: 'package_600' });
    await Promise.all(Array.from({ length: 8 }, () => choose(server, pay_url, 'success')));
    const { data } = await server.call('user/leftMinute', {}, { token: owner.access });
    expect(data.package_minutes).toBe(600);
  });

  it('returns 404 for a missing or wrong signature', async () => {
    const owner = await server.register();
    const firstUrl = new URL((await pay(owner, { plan: 'package_120' })).pay_url);
    const other = new URL((await pay(owner, { plan: 'package_120' })).pay_url);
    const urls = [
      firstUrl.pathname,
      `${firstUrl.pathname}?s=`,
      `${firstUrl.pathname}?s=${'A'.repeat(43)}`,
      `${firstUrl.pathname}?s=x&s=y`,
      `${firstUrl.pathname}${other.search}`,
      `/pay/sandbox/nonsense${firstUrl.search}`,
    ];
    for (const url of urls) {
      for (const method of ['GET', 'POST'] as const) {
        const form = { 'content-type': 'application/x-www-form-urlencoded' };
        const response = await server.app.inject(
          method === 'GET'
            ? { method, url }
            : { method, url, headers: form, payload: 'choice=success' },
        );
        expect(response.statusCode).toBe(404);
      }
    }
    expect((await choose(server, firstUrl.href, 'steal')).statusCode).toBe(404);
    const { data } = await server.call('user/orderRecord', {}, { token: owner.access });
    expect(data.list.map(({ status }) => status)).toEqual(['pending', 'pending']);
  });

  it('expires after a day without payment', async () => {
    const owner = await server.register();
    const { order_id, pay_url } = await pay(owner, { plan: 'vip_monthly' });
    server.advanceClock(23 * 3600);
    await runBilling(server);
    const token = async () => {
      const { data } = await server.call('user/login', owner);
      return data.access_token;
    };
    let access = await token();
    const orderStatus = async () =>
      (await server.call('user/order', { id: order_id }, { token: access })).data.status;
    expect(await orderStatus()).toBe('pending');
    await advanceClockTo(server, new Date(server.now().getTime() + 3601 * 1000));
    access = await token();
    expect(await orderStatus()).toBe('expired');
    expect((await choose(server, pay_url, 'success')).headers.location).toContain('status=cancel');
    expect(await orderStatus()).toBe('expired');
  });

  it('logs neither its URL nor the email address', async () => {
    const owner = await server.register();
    const { pay_url } = await pay(owner, { plan: 'package_120' });
    await page(pay_url);
    await choose(server, pay_url, 'success');
    const log = server.logged.join('\n');
    expect(log).toContain('/pay/sandbox/:order');
    expect(log).not.toContain(new URL(pay_url).search);
    expect(log).not.toContain(owner.email);
  });

  it('for a membership is canceled when another membership is ordered', async () => {
    const owner = await server.register();
    const first = await pay(owner, { plan: 'vip_monthly' });
    await pay(owner, { plan: 'vip_annual' });
    expect((await loadOrder(owner, first.order_id)).status).toBe('canceled');
    await choose(server, first.pay_url, 'success');
    const { data } = await server.call('user/info', {}, { token: owner.access });
    expect(data).toMatchObject({ is_vip: false, subscription: null });
  });

  it('is limited to twenty orders per ten minutes', async () => {
    const owner = await server.register();
    const resultCodes: number[] = [];
    for (let n = 0; n < 21; n += 1) {
      const body = { plan: 'package_120' };
      resultCodes.push((await server.call('user/pay', body, { token: owner.access })).code);
    }
    expect(resultCodes.slice(0, 20)).toEqual(Array(20).fill(codes.ok));
    expect(resultCodes[20]).toBe(codes.tooManyRequests);
  });
});

it('sells nothing with BILLING=off', async () => {
  const freeServer = await startTestServer({ BILLING: 'off' });
  const { access } = await freeServer.register();
  expect((await freeServer.call('user/plans')).data).toEqual({ list: [] });
  const pay = await freeServer.call('user/pay', { plan: 'vip_monthly' }, { token: access });
  expect(pay).toMatchObject({ code: codes.nothingForSale, data: null });
  expect((await freeServer.call('user/orderRecord', {}, { token: access })).data.list).toEqual([]);
  const restore = await freeServer.call('user/restore', {}, { token: access });
  expect(restore).toMatchObject({ code: codes.nothingForSale, data: null });
  const page = await freeServer.app.inject({ method: 'GET', url: '/pay/sandbox/x?s=y' });
  expect(page.statusCode).toBe(404);
  await freeServer.close();
});

it.each([
  [{}, 'vip_annual', 11_988, 'monthly'],
  [{ PRICES: 'vip_annual=99.99' }, 'vip_annual', 9999, null],
  [{ PRICES: 'vip_monthly=5,vip_annual=60' }, 'vip_annual', 6000, null],
  [{ LIST_PRICES: 'vip_monthly=19.98' }, 'vip_monthly', 1998, 'list'],
  [{ LIST_PRICES: 'package_120=2.99' }, 'package_120', 299, null],
] as const)(
  'with %j, shows for %s the comparison price %i (%s)',
  (variables, id, full_price, compared_with) => {
    const plan = plansFor(readConfig(variables).prices).find((each) => each.id === id);
    expect(plan).toMatchObject({ full_price, compared_with });
  },
);

it('sells only plans with a price', async () => {
  const shop = await startTestServer({ PRICES: 'package_120=300', CURRENCY: 'JPY' });
  const { access } = await shop.register();
  expect((await shop.call('user/plans')).data.list).toEqual([
    {
      id: 'package_120',
      kind: 'package',
      months: 0,
      minutes: 120,
      price: 300,
      full_price: 300,
      compared_with: null,
      currency: 'JPY',
    },
  ]);
  const pay = await shop.call('user/pay', { plan: 'vip_monthly' }, { token: access });
  expect(pay).toMatchObject({ code: codes.notFound, data: null });
  await shop.close();
});
