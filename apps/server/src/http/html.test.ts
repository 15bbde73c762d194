import { describe, expect, it } from 'vitest';
import { html } from './html.ts';

describe('an HTML template', () => {
  it('escapes strings, in elements and in attributes', () => {
    const text = `<script>"&'`;
    expect(String(html`<p title="${text}">${text}</p>`)).toBe(
      `<p title="&lt;script&gt;&quot;&amp;'">&lt;script&gt;&quot;&amp;'</p>`,
    );
  });

  it('keeps HTML from other templates, and lists of it', () => {
    const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
    expect(String(html`<ul>${items}</ul>${null}${['<', 1]}`)).toBe(
      '<ul><li>a</li><li>&lt;b&gt;</li></ul>&lt;1',
    );
  });

  it('does not accept objects that only look like HTML', () => {
    const forgedHtml = JSON.parse('{"text":"<script>","toString":"<script>"}');
    expect(() => html`${forgedHtml}`).toThrow();
  });
});
