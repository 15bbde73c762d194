import { agreementVersion } from '@linnet/contract/agreement';
import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { InterfaceLanguage } from '../../i18n/index.ts';
import type { ServerInfo } from '../../ports/server.ts';
import type { Services } from '../../ports/services.ts';
import { createFixtureServices, renderPage } from '../../testing/render-page.tsx';

const pages = {
  '/pages/aboutUs': 'About Linnet',
  '/pages/privacyPolicy': 'Privacy policy',
  '/pages/userAgreement': 'User agreement',
  '/pages/kefu': 'Help and feedback',
  '/pages/kefuOnLine': 'Customer service',
  '/pages/instructions': 'User guide',
  '/pages/questions/question1': 'How do I pair my recorder?',
  '/pages/questions/question2': 'How do I start recording?',
  '/pages/questions/question3': 'How do I sync recordings?',
  '/pages/questions/question4': 'How do I transcribe and summarize a recording?',
} as const;
const signedOut = () => createFixtureServices({ account: 'out' });

/** Returns the services of a server with other server info. */
function withServerInfo(services: Services, changed: Partial<ServerInfo>): Services {
  const state = services.server.get();
  if (state.status === 'unknown' || !state.info) throw new Error('the server info is unknown');
  const serverInfo = { ...state.info, ...changed };
  const changedState = { ...state, info: serverInfo };
  return { ...services, server: { get: () => changedState, subscribe: () => () => {} } };
}

/** Waits for a page by its title. */
const findPage = (title: string) => screen.findByRole('heading', { level: 1, name: title });

describe('the help pages', () => {
  it.each(Object.entries(pages))('%s is open to signed-out users', async (path, title) => {
    const { user, address } = await renderPage(path, signedOut());
    await findPage(title);
    expect(address()).toBe(path);
    // Without history, the back button opens sign-in.
    await user.click(screen.getByTestId('back'));
    await screen.findByTestId('submit');
    expect(address()).toBe('/');
  });

  it.each(Object.entries(pages))('%s is open to signed-in users', async (path, title) => {
    const { user, address } = await renderPage(path);
    await findPage(title);
    expect(address()).toBe(path);
    // Without history, the back button opens Me.
    await user.click(screen.getByTestId('back'));
    await waitFor(() => expect(address()).toBe('/pages/me'));
  });

  it('are linked from sign-in and from each other', async () => {
    const { user } = await renderPage('/', signedOut());
    await user.click(screen.getByTestId('to-help'));
    await findPage('Help and feedback');
    await user.click(screen.getByTestId('back'));
    await user.click(await screen.findByTestId('to-about'));
    await findPage('About Linnet');
    expect(screen.getByTestId('version').textContent).toBe('Version 1.2.3');
    for (const title of Object.values(pages).filter((each) => each !== 'About Linnet')) {
      await user.click(screen.getByRole('link', { name: title }));
      await findPage(title);
      await user.click(screen.getByTestId('back'));
      await findPage('About Linnet');
    }
  });

  it('list the licenses of third-party packages only', async () => {
    await renderPage('/pages/aboutUs', signedOut());
    const licenses = within(screen.getByTestId('licenses'));
    const names = licenses
      .getAllByRole('listitem', { hidden: true })
      .map((each) => each.textContent);
    expect(names.find((name) => name?.startsWith('fastify'))).toContain('MIT');
    expect(names.filter((name) => name?.includes('@linnet/'))).toEqual([]);
  });

  it('are linked from Me, to which they return', async () => {
    const { user } = await renderPage('/pages/me');
    for (const [name, title] of [
      ['guide', 'User guide'],
      ['questions', 'How do I pair my recorder?'],
      ['feedback', 'Help and feedback'],
      ['online', 'Customer service'],
      ['about', 'About Linnet'],
    ] as const) {
      await user.click(await screen.findByTestId(`help-${name}`));
      await findPage(title);
      await user.click(screen.getByTestId('back'));
    }
    expect((await screen.findByTestId('help-demo')).getAttribute('href')).toBe('/pages/demo');
  });
});

describe('customer service', () => {
  it.each([
    ['mailto:help@example.org', 'help@example.org', null],
    ['https://help.example.org/tickets', 'help.example.org', '_blank'],
  ])('links to the operator’s support address %s', async (supportUrl, text, target) => {
    const { user } = await renderPage(
      '/pages/kefuOnLine',
      withServerInfo(signedOut(), { supportUrl }),
    );
    const link = screen.getByTestId('support');
    expect(link.getAttribute('href')).toBe(supportUrl);
    expect(link.getAttribute('target')).toBe(target);
    expect(link.textContent).toBe(text);
    await user.click(screen.getByTestId('to-feedback'));
    await findPage('Help and feedback');
  });

  it('offers the form if the operator has no support address, and is not linked from Me', async () => {
    const services = withServerInfo(signedOut(), { supportUrl: null });
    const { user } = await renderPage('/pages/kefuOnLine', services);
    screen.getByRole('heading', { name: 'Customer service isn’t available' });
    expect(screen.queryByTestId('support')).toBeNull();
    await user.click(screen.getByTestId('to-feedback'));
    await screen.findByTestId('content');
  });

  it('is not linked from Me if the operator has no support address', async () => {
    await renderPage('/pages/me', withServerInfo(createFixtureServices({}), { supportUrl: null }));
    await screen.findByTestId('help-feedback');
    expect(screen.queryByTestId('help-online')).toBeNull();
  });
});

it('reading the agreements during registration keeps the entered text', async () => {
  const { user } = await renderPage('/pages/register', signedOut());
  const typed = {
    ...{ email: 'robin@example.org', code: '123456' },
    ...{ password: 'wren-gale-harbour-7', repassword: 'wren-gale-harbour-7' },
  };
  for (const [field, value] of Object.entries(typed)) {
    fireEvent.change(screen.getByTestId(field), { target: { value } });
  }
  for (const [path, title] of [
    ['/pages/userAgreement', 'User agreement'],
    ['/pages/privacyPolicy', 'Privacy policy'],
  ] as const) {
    await user.click(screen.getByTestId(`to-${path}`));
    await findPage(title);
    expect(screen.getByTestId('agreement-version').textContent).toBe(`Version ${agreementVersion}`);
    await user.click(screen.getByTestId('back'));
    await findPage('Create your account');
    for (const [field, value] of Object.entries(typed)) {
      expect(screen.getByTestId(field), field).toHaveProperty('value', value);
    }
    const agree = screen.getByTestId<HTMLInputElement>('agree');
    if (!agree.checked) await user.click(agree);
  }
  expect(screen.getByTestId('agree')).toHaveProperty('checked', true);
  // Leaving the form any other way discards the password.
  await user.click(screen.getByTestId('to-sign-in'));
  await user.click(await screen.findByTestId('to-register'));
  await findPage('Create your account');
  expect(screen.getByTestId('password')).toHaveProperty('value', '');
});

/** Feedback that records the sent messages, and fails with a failure if there is one. */
function createFeedback(failure: { code: number; msg: string } | null): {
  services: Services;
  sent: string[];
} {
  const sent: string[] = [];
  const services = signedOut();
  const draft = { kind: 'problem', content: '', contact: '' } as const;
  const begin = () => ({
    draft,
    save: () => {},
    async send({ content }: { content: string }) {
      sent.push(content);
      return failure
        ? ({ ok: false, failure: { kind: 'server', ...failure } } as const)
        : ({ ok: true, data: null } as const);
    },
  });
  return { services: { ...services, feedback: { ...services.feedback, begin } }, sent };
}

describe('feedback', () => {
  it('without a message is not sent', async () => {
    const { services, sent } = createFeedback(null);
    const { user } = await renderPage('/pages/kefu', services);
    await user.click(screen.getByTestId('submit'));
    expect(screen.getByTestId('error').textContent).toBe('Enter a message first');
    expect(document.activeElement).toBe(screen.getByTestId('content'));
    expect(sent).toEqual([]);
  });

  it('that is too long is not sent, and stays in the form', async () => {
    const { services, sent } = createFeedback(null);
    const { user } = await renderPage('/pages/kefu', services);
    const content = screen.getByTestId('content');
    const long = 'x'.repeat(limits.feedback.contentMaxLength + 2);
    fireEvent.change(content, { target: { value: long } });
    expect(screen.getByTestId('error').textContent).toContain('You’re 2 over.');
    await user.click(screen.getByTestId('submit'));
    expect(content).toHaveProperty('value', long);
    expect(document.activeElement).toBe(content);
    expect(sent).toEqual([]);
    fireEvent.change(content, { target: { value: long.slice(2) } });
    await user.click(screen.getByTestId('submit'));
    await screen.findByRole('heading', { name: 'Message sent' });
    expect(sent).toEqual([long.slice(2)]);
  });

  it.each([
    ['en', 'Too many attempts. Wait a moment and try again.'],
    ['ar', 'محاولات كثيرة جدًا. انتظر لحظات ثم أعد المحاولة.'],
    ['ja', '試行回数が多すぎます。しばらくしてから、もう一度お試しください。'],
  ] as const satisfies readonly (readonly [InterfaceLanguage, string])[])(
    'that can’t be sent is kept, with the message for its code in %s instead of the server’s',
    async (language, words) => {
      const { services } = createFeedback({
        code: codes.tooManyRequests,
        msg: 'The server says more in English.',
      });
      const { user } = await renderPage('/pages/kefu', services, { language });
      const content = screen.getByTestId('content');
      fireEvent.change(content, { target: { value: 'Where is the button?' } });
      await user.click(screen.getByTestId('submit'));
      const notice = await screen.findByRole('alert');
      expect(notice.textContent).toContain(words);
      expect(notice.textContent).toContain(String(codes.tooManyRequests));
      expect(notice.textContent).not.toContain('The server says more');
      expect(content).toHaveProperty('value', 'Where is the button?');
    },
  );
});
