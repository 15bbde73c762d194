import { describe, expect, it } from 'vitest';
import { keepIds } from './keep-ids.ts';

const item = (id: string, text: string, paragraph_id = 'p') => ({ id, text, paragraph_id });

describe('a summary made again', () => {
  it('keeps the id of an item that says the same, wherever it stands now', () => {
    const before = { todos: [item('todos-1', 'Call Ada'), item('todos-2', 'Buy milk')] };
    const after = {
      todos: [item('todos-1', 'Write'), item('todos-2', 'Buy milk'), item('todos-3', 'Call Ada')],
    };
    expect(keepIds(before, after)).toEqual({
      todos: [item('todos-3', 'Write'), item('todos-2', 'Buy milk'), item('todos-1', 'Call Ada')],
    });
  });

  it('keeps the id of an item whose words were corrected in its paragraph', () => {
    const before = { todos: [item('todos-1', 'Call Eta', 'a'), item('todos-2', 'Same', 'b')] };
    const after = { todos: [item('todos-1', 'Same', 'b'), item('todos-2', 'Call Ada', 'a')] };
    expect(keepIds(before, after)).toEqual({
      todos: [item('todos-2', 'Same', 'b'), item('todos-1', 'Call Ada', 'a')],
    });
  });

  it('gives no two items one id, though they say the same', () => {
    const before = { todos: [item('todos-1', 'Yes')] };
    const after = { todos: [item('todos-1', 'Yes'), item('todos-2', 'Yes')] };
    expect(keepIds(before, after)).toEqual(after);
  });

  it('never gives an id of an item that is gone to another', () => {
    const before = { todos: [item('todos-1', 'Old', 'a')] };
    expect(keepIds(before, { todos: [item('todos-1', 'New', 'b')] })).toEqual({
      todos: [item('todos-2', 'New', 'b')],
    });
  });

  it('keeps lists apart, and everything else as it is', () => {
    const before = { structures: { general: { sections: [{ items: [item('general-4', 'A')] }] } } };
    const after = {
      version: 1,
      looked_for: ['todos'],
      structures: {
        general: { sections: [{ heading: 'overview', items: [item('general-1', 'A')] }] },
      },
      todos: [item('todos-1', 'A')],
    };
    expect(keepIds(before, after)).toEqual({
      ...after,
      structures: {
        general: { sections: [{ heading: 'overview', items: [item('general-4', 'A')] }] },
      },
    });
  });

  it.each([null, {}, 'text', [1, null]])('takes %j for the summary before', (before) => {
    const after = { todos: [item('todos-1', 'A')] };
    expect(keepIds(before, after)).toEqual(after);
  });
});

describe('a summary by a model, whose ids are no numbers', () => {
  it('keeps the id of an item that it words otherwise', () => {
    const before = { todos: [item('todos-0a1b2c3d4e5f', 'Call Ada', 'a')] };
    const after = { todos: [item('todos-9f8e7d6c5b4a', 'Ring Ada up', 'a')] };
    expect(keepIds(before, after)).toEqual({
      todos: [item('todos-0a1b2c3d4e5f', 'Ring Ada up', 'a')],
    });
  });

  it('gives each item an id of its own', () => {
    const before = { todos: [item('todos-0a1b2c3d4e5f', 'Call Ada', 'a')] };
    const after = {
      todos: [
        item('todos-9f8e7d6c5b4a', 'Ring Ada up', 'a'),
        item('todos-1a1a1a1a1a1a', 'Buy milk', 'b'),
      ],
    };
    const { todos } = keepIds(before, after);
    expect(new Set(todos.map(({ id }) => id)).size).toBe(2);
  });
});

it('an id that was ticked once is given to no other item', () => {
  // The item that had it went when the summary was made again.
  const before = { todos: [item('todos-1', 'Buy milk', 'a')] };
  const after = { todos: [item('todos-1', 'Buy milk', 'a'), item('todos-2', 'Write', 'c')] };
  expect(keepIds(before, after, ['todos-2'])).toEqual({
    todos: [item('todos-1', 'Buy milk', 'a'), item('todos-3', 'Write', 'c')],
  });
});
