import { describe, expect, it } from 'vitest';
import { reuseItemIds } from './reuse-item-ids.ts';

const item = (id: string, text: string, paragraph_id = 'p') => ({ id, text, paragraph_id });

describe('a regenerated summary', () => {
  it('keeps the ID of an item with the same text at any position', () => {
    const before = { todos: [item('todos-1', 'Call Ada'), item('todos-2', 'Buy milk')] };
    const after = {
      todos: [item('todos-1', 'Write'), item('todos-2', 'Buy milk'), item('todos-3', 'Call Ada')],
    };
    expect(reuseItemIds(before, after)).toEqual({
      todos: [item('todos-3', 'Write'), item('todos-2', 'Buy milk'), item('todos-1', 'Call Ada')],
    });
  });

  it('keeps the ID of an item whose paragraph was edited', () => {
    const before = { todos: [item('todos-1', 'Call Eta', 'a'), item('todos-2', 'Same', 'b')] };
    const after = { todos: [item('todos-1', 'Same', 'b'), item('todos-2', 'Call Ada', 'a')] };
    expect(reuseItemIds(before, after)).toEqual({
      todos: [item('todos-2', 'Same', 'b'), item('todos-1', 'Call Ada', 'a')],
    });
  });

  it('gives items with the same text different IDs', () => {
    const before = { todos: [item('todos-1', 'Yes')] };
    const after = { todos: [item('todos-1', 'Yes'), item('todos-2', 'Yes')] };
    expect(reuseItemIds(before, after)).toEqual(after);
  });

  it('never reuses the ID of a removed item', () => {
    const before = { todos: [item('todos-1', 'Old', 'a')] };
    expect(reuseItemIds(before, { todos: [item('todos-1', 'New', 'b')] })).toEqual({
      todos: [item('todos-2', 'New', 'b')],
    });
  });

  it('matches items within their list and changes nothing else', () => {
    const before = { structures: { general: { sections: [{ items: [item('general-4', 'A')] }] } } };
    const after = {
      version: 1,
      looked_for: ['todos'],
      structures: {
        general: { sections: [{ heading: 'overview', items: [item('general-1', 'A')] }] },
      },
      todos: [item('todos-1', 'A')],
    };
    expect(reuseItemIds(before, after)).toEqual({
      ...after,
      structures: {
        general: { sections: [{ heading: 'overview', items: [item('general-4', 'A')] }] },
      },
    });
  });

  it.each([null, {}, 'text', [1, null]])('accepts %j as the previous summary', (before) => {
    const after = { todos: [item('todos-1', 'A')] };
    expect(reuseItemIds(before, after)).toEqual(after);
  });
});

describe('the summary of another transcript', () => {
  const createItem = (id: string, text: string, paragraph: string, start_time: number) => {
    return { ...item(id, text, paragraph), start_time };
  };
  const before = { todos: [createItem('todos-1', 'Call mister mayer on Monday', 'a', 60)] };

  it('keeps the ID of an item with similar words at about the same time', () => {
    const after = {
      todos: [
        createItem('todos-1', 'Buy milk', 'x', 61),
        createItem('todos-2', 'Call mister Meier Monday', 'y', 70),
      ],
    };
    expect(reuseItemIds(before, after).todos.map(({ id }) => id)).toEqual(['todos-2', 'todos-1']);
  });

  it('gives an item at another time a new ID', () => {
    const after = { todos: [createItem('todos-1', 'Call mister Meier on Monday', 'x', 600)] };
    expect(reuseItemIds(before, after).todos.map(({ id }) => id)).toEqual(['todos-2']);
  });
});

describe('a summary by a language model, whose IDs are hashes', () => {
  it('keeps the ID of a reworded item', () => {
    const before = { todos: [item('todos-0a1b2c3d4e5f', 'Call Ada', 'a')] };
    const after = { todos: [item('todos-9f8e7d6c5b4a', 'Ring Ada up', 'a')] };
    expect(reuseItemIds(before, after)).toEqual({
      todos: [item('todos-0a1b2c3d4e5f', 'Ring Ada up', 'a')],
    });
  });

  it('gives each item a unique ID', () => {
    const before = { todos: [item('todos-0a1b2c3d4e5f', 'Call Ada', 'a')] };
    const after = {
      todos: [
        item('todos-9f8e7d6c5b4a', 'Ring Ada up', 'a'),
        item('todos-1a1a1a1a1a1a', 'Buy milk', 'b'),
      ],
    };
    const { todos } = reuseItemIds(before, after);
    expect(new Set(todos.map(({ id }) => id)).size).toBe(2);
  });
});

it('never assigns the ID of a ticked item to a new item', () => {
  // The ticked item was dropped when the summary was regenerated.
  const before = { todos: [item('todos-1', 'Buy milk', 'a')] };
  const after = { todos: [item('todos-1', 'Buy milk', 'a'), item('todos-2', 'Write', 'c')] };
  expect(reuseItemIds(before, after, ['todos-2'])).toEqual({
    todos: [item('todos-1', 'Buy milk', 'a'), item('todos-3', 'Write', 'c')],
  });
});
