import type { Order } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Consumption, MembershipService } from '../../ports/membership.ts';
import { createFixtureServices, renderPage } from '../../testing/render-page.tsx';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const unreachable = { ok: false, failure: { kind: 'network', cause: null } } as const;

/** Returns the workbench's services with the given membership calls replaced. */
function withMembership(calls: Partial<MembershipService>) {
  const services = createFixtureServices({});
  return { ...services, membership: { ...services.membership, ...calls } };
}

const createOrder = (id: string, status: Order['status']): Order => ({
  ...{ id, status, plan: 'package_120', price: 299, currency: 'USD' },
  ...{ created_at: '2026-03-02T09:30:00Z', paid_at: null },
});

it('reports that the balance failed to load, and retries', async () => {
  const { balance } = createFixtureServices({}).membership;
  let isReachable = false;
  const { user } = await renderPage(
    '/pages/vip',
    withMembership({ balance: async () => (isReachable ? balance() : unreachable) }),
  );
  const failed = await screen.findByTestId('minutes-failed');
  expect(failed.textContent).toContain('Couldn’t load your minutes');
  isReachable = true;
  await user.click(within(failed).getByRole('button', { name: 'Try again' }));
  expect((await screen.findByTestId('minutes-left')).textContent).toBe('1,230');
  expect(screen.queryByTestId('minutes-failed')).toBeNull();
});

describe('the purchases', () => {
  const statuses = [
    'paid',
    'failed',
    'canceled',
    'pending',
    'expired',
    'refunded',
    'paid',
  ] as const;
  const orders = statuses.map((status, index) => createOrder(`order ${index}`, status));
  const limit = 2;
  const rows = () => screen.queryAllByTestId('order');

  it('are listed page by page, and a failure to load a page is reported', async () => {
    let isReachable = true;
    const { user } = await renderPage(
      '/pages/purchaseRecord',
      withMembership({
        orders: async (page) =>
          isReachable
            ? {
                ok: true,
                data: {
                  list: orders.slice((page - 1) * limit, page * limit),
                  total: orders.length,
                },
              }
            : unreachable,
      }),
    );
    await waitFor(() => expect(rows()).toHaveLength(limit));
    isReachable = false;
    await user.click(screen.getByTestId('more'));
    expect((await screen.findByTestId('error')).textContent).toContain('Couldn’t load the list');
    expect(rows()).toHaveLength(limit);
    isReachable = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    for (let shown = 2 * limit; shown < orders.length; shown += limit) {
      await waitFor(() => expect(rows()).toHaveLength(shown));
      await user.click(screen.getByTestId('more'));
    }
    await waitFor(() => expect(rows()).toHaveLength(orders.length));
    expect(screen.queryByTestId('more')).toBeNull();
    expect(rows()[0]?.textContent).toContain('120 minutes');
    expect(rows().map(({ dataset }) => dataset.status)).toEqual(statuses);
  });

  it('are loaded again after the first page failed to load', async () => {
    let isReachable = false;
    const { user } = await renderPage(
      '/pages/purchaseRecord',
      withMembership({
        orders: async () =>
          isReachable ? { ok: true, data: { list: orders, total: orders.length } } : unreachable,
      }),
    );
    expect((await screen.findByTestId('error')).textContent).toContain('Couldn’t load the list');
    isReachable = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(rows()).toHaveLength(orders.length));
  });
});

it('lists, totals and charts the usage by day and language', async () => {
  const history = await createFixtureServices({}).membership.consumption(1);
  const first = history.ok ? history.data.list[0] : undefined;
  if (!first) throw new Error('no usage');
  const used = (id: string, name: string, language: Consumption['language']): Consumption => ({
    ...{ ...first, id, radio_file_id: id, name, language },
    ...{ minutes: 1, created_at: new Date().toISOString() },
  });
  const list = [used('1', 'اجتماع', 'ar'), used('2', 'Keys', 'en')];
  const { user } = await renderPage(
    '/pages/transliterationRecord',
    withMembership({ consumption: async () => ({ ok: true, data: { list, total: 2 } }) }),
  );
  const [latest, ...others] = await screen.findAllByTestId('used');
  expect(others).toHaveLength(1);
  expect(latest?.textContent).toContain('اجتماع');
  expect(latest?.textContent).toContain('Arabic');
  expect(screen.getByTestId('this-month').textContent).toContain('2 minutes');
  expect(screen.getByTestId('this-month').textContent).toContain('2 recordings');
  expect(screen.getAllByTestId('used-language')).toHaveLength(2);
  expect(document.querySelectorAll('.used-bars rect')).toHaveLength(2);
  await user.click(screen.getByText('Show as table'));
  const rows = screen.getAllByTestId('used-row').map(({ textContent }) => textContent);
  expect(rows).toHaveLength(2);
  expect(rows.find((row) => row?.includes('English'))).toMatch(/1$/);
});

it('asks for confirmation before a second payment while another is pending', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let restoreCount = 0;
  const { user } = await renderPage(
    '/pages/payResult?order=1',
    withMembership({
      order: async (id) => ({ ok: true, data: createOrder(id, 'pending') }),
      async restore() {
        restoreCount += 1;
        return { ok: true, data: [] };
      },
    }),
  );
  await screen.findByText('Checking your payment');
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  const result = screen.getByTestId('pay-result');
  await waitFor(() => expect(result.textContent).toContain('Not paid yet'));
  expect(restoreCount).toBe(1);
  expect(screen.queryByTestId('pay-again')).toBeNull();
  await user.click(screen.getByTestId('new-payment'));
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog.textContent).toContain('you’d pay twice');
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(result.textContent).toContain('Not paid yet');
});

describe('the result of a payment', () => {
  const result = () => screen.getByTestId('pay-result').textContent;

  it.each([
    ['canceled', 'Payment canceled'],
    ['failed', 'Payment failed'],
  ] as const)('is %s if the server says so, whatever the URL says', async (status, title) => {
    const bought: string[] = [];
    const { user } = await renderPage(
      '/pages/payResult?order=1&status=success',
      withMembership({
        order: async (id) => ({ ok: true, data: createOrder(id, status) }),
        async buy(plan) {
          bought.push(plan);
          return unreachable;
        },
      }),
    );
    await screen.findByText(title);
    await user.click(screen.getByTestId('pay-again'));
    await waitFor(() => expect(bought).toEqual(['package_120']));
  });

  it('is unknown for an unknown order, whatever the URL says', async () => {
    const failure = { kind: 'server', code: codes.notFound, msg: '' } as const;
    await renderPage(
      '/pages/payResult?order=1&status=success',
      withMembership({ order: async () => ({ ok: false, failure }) }),
    );
    await screen.findByText('Order not found');
  });

  it('is shown once a pending payment succeeds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let order: Order = { ...createOrder('1', 'pending'), plan: 'vip_annual', price: 9999 };
    await renderPage(
      '/pages/payResult?order=1&status=cancel',
      withMembership({ order: async () => ({ ok: true, data: order }) }),
    );
    await screen.findByText('Checking your payment');
    order = { ...order, status: 'paid' };
    await act(() => vi.advanceTimersByTimeAsync(2000));
    await waitFor(() => expect(result()).toContain('Payment complete'));
    expect(screen.getByTestId('bought').textContent).toBe('VIP annual');
    expect(screen.getByTestId('amount').textContent).toBe('US$99.99');
    expect((await screen.findByTestId('minutes-left')).textContent).toBe('1,230');
  });
});

it('the annual plan is compared with twelve months of the monthly plan, and can be bought', async () => {
  const services = createFixtureServices({ plan: 'none' });
  const bought: string[] = [];
  const buy: MembershipService['buy'] = async (plan) => {
    bought.push(plan);
    return unreachable;
  };
  const membership = { ...services.membership, buy };
  const { user } = await renderPage('/pages/vip', { ...services, membership });
  const annual = await screen.findByTestId('plan-vip_annual');
  for (const text of ['US$99.99 a year', 'Save 16%', '12 months on the monthly plan: US$119.88']) {
    expect(annual.textContent).toContain(text);
  }
  expect(screen.getByTestId('plan-vip_monthly').textContent).not.toContain('Save');
  await user.click(annual);
  await user.click(screen.getByTestId('subscribe'));
  await waitFor(() => expect(bought).toEqual(['vip_annual']));
});

describe('a server without billing', () => {
  it('includes everything, and offers no purchases', async () => {
    await renderPage('/pages/vip', createFixtureServices({ server: 'free', plan: 'none' }));
    const open = screen.getByTestId('open').textContent;
    expect(open).toContain('Everything is included');
    expect(open).toContain('This server doesn’t charge for anything');
    expect(screen.queryByTestId('subscribe')).toBeNull();
    expect(screen.queryByTestId('restore')).toBeNull();
  });

  it.each([
    ['/pages/purchaseRecord', 'No purchases yet'],
    ['/pages/transliterationRecord', 'No minutes used yet'],
  ])('shows an empty state on %s: %s', async (path, title) => {
    const nothing = async () => ({ ok: true, data: { list: [], total: 0 } }) as const;
    await renderPage(path, withMembership({ orders: nothing, consumption: nothing }));
    await screen.findByRole('heading', { name: title });
  });
});

describe('the checkout', () => {
  const url = 'https://pay.example.org/checkout/1';

  /** Opens Membership from Me, and starts to buy a package. The server creates the order once `created` resolves. */
  async function buy() {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
    assign.mockClear();
    const created = Promise.withResolvers<void>();
    const { user } = await renderPage(
      '/pages/me',
      withMembership({
        async buy() {
          await created.promise;
          return { ok: true, data: { orderId: '1', url } };
        },
      }),
    );
    await user.click(await screen.findByRole('link', { name: /VIP and minutes/ }));
    await user.click(await screen.findByTestId('buy-package_120'));
    return { user, assign, created };
  }

  it('opens once the order has been created', async () => {
    const { assign, created } = await buy();
    expect(screen.getByTestId('buy-package_120').getAttribute('aria-busy')).toBe('true');
    created.resolve();
    await waitFor(() => expect(assign.mock.calls).toEqual([[url]]));
  });

  it('does not open after the user has navigated away', async () => {
    const { user, assign, created } = await buy();
    await user.click(screen.getByTestId('back'));
    await screen.findByRole('heading', { level: 1, name: 'Me' });
    await user.click(screen.getByRole('link', { name: /Minutes used/ }));
    await screen.findByRole('heading', { level: 1, name: 'Minutes used' });
    created.resolve();
    await user.click(screen.getByTestId('back'));
    await screen.findByRole('heading', { level: 1, name: 'Me' });
    expect(assign).not.toHaveBeenCalled();
  });
});
