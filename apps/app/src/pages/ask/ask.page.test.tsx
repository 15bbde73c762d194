import { writable } from '@linnet/base';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Drafts } from '../../ports/drafts.ts';
import type { ConversationState } from '../../ports/questions.ts';
import { createFixtureServices, renderPage } from '../../testing/render-page.tsx';

/** Drafts in memory. */
function createDrafts(): Drafts {
  const stored = new Map<string, unknown>();
  return {
    read: (field, subject = '') => (stored.get(`${field} ${subject}`) ?? null) as never,
    write: (field, value, subject = '') => void stored.set(`${field} ${subject}`, value),
  };
}

/**
 * Renders the page of a conversation.
 * @param answer changes the state as the server's response does, and returns whether the question was answered
 */
async function renderConversation(
  path: string,
  answer: (question: string, before: ConversationState) => readonly [ConversationState, boolean],
) {
  const services = createFixtureServices({});
  const { open } = services.questions;
  return renderPage(path, {
    ...services,
    drafts: createDrafts(),
    questions: {
      ...services.questions,
      open(start) {
        const state = writable(open(start).state.get());
        return {
          ...open(start),
          state,
          async ask(question) {
            const [next, isAnswered] = answer(question, state.get());
            state.set(next);
            return isAnswered;
          },
        };
      },
    },
  });
}

it('shows the length limit before it is reached, and starts a new line with Shift+Enter', async () => {
  const { user } = await renderPage('/pages/ask');
  const question = screen.getByTestId('question');
  fireEvent.change(question, { target: { value: 'a'.repeat(700) } });
  expect(screen.queryByTestId('question-length')).toBeNull();
  fireEvent.change(question, { target: { value: 'a'.repeat(900) } });
  expect(screen.getByTestId('question-length').textContent).toBe('900 / 1,000');
  await user.clear(question);
  await user.type(question, '{Shift>}{Enter}{/Shift}');
  expect(question).toHaveProperty('value', '\n');
});

it('reports a thread that was deleted elsewhere, and moves the question to a new one', async () => {
  const { user, address } = await renderConversation('/pages/ask?thread=1', () => [
    { status: 'deleted' },
    false,
  ]);
  await user.type(await screen.findByTestId('question'), 'And the lilies?{Enter}');
  await screen.findByRole('heading', { name: 'This chat was deleted' });
  await user.click(screen.getByTestId('new-chat'));
  await waitFor(() => expect(address()).toBe('/pages/ask'));
  await waitFor(() =>
    expect(screen.getByTestId('question')).toHaveProperty('value', 'And the lilies?'),
  );
});

it('a question that cannot be sent stays in the field, and can be sent again', async () => {
  const answered = createFixtureServices({})
    .questions.open({ kind: 'thread', id: '1' })
    .state.get();
  const askedQuestions: string[] = [];
  const { user } = await renderConversation('/pages/ask', (question, before) => {
    askedQuestions.push(question);
    if (before.status !== 'open' || answered.status !== 'open') throw new Error('not open');
    return askedQuestions.length === 1
      ? [
          {
            ...before,
            asking: { status: 'failed', question, failure: { kind: 'network', cause: null } },
          },
          false,
        ]
      : [{ ...before, asking: { status: 'idle' }, answers: answered.answers }, true];
  });
  expect(screen.getAllByTestId('example-question')).toHaveLength(3);
  const question = screen.getByTestId('question');
  await user.type(question, 'When is the hall free?{Enter}');
  expect((await screen.findByTestId('error')).textContent).toContain('Can’t reach the server');
  expect(question).toHaveProperty('value', 'When is the hall free?');
  await user.click(screen.getByTestId('ask-again'));
  expect((await screen.findAllByTestId('quote'))[0]?.textContent).toContain('The hall is free');
  expect(askedQuestions).toEqual(['When is the hall free?', 'When is the hall free?']);
  await waitFor(() => expect(question).toHaveProperty('value', ''));
});
