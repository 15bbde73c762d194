import { limits } from '@linnet/contract/limits';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTemplate, templateGroup, templateSettings } from './custom-template.ts';

const words = (maxLength: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength })
    .map((text) => text.trim().slice(0, maxLength))
    .filter((text) => text !== '');
const templates = fc.record({
  name: words(limits.template.nameMaxLength),
  sections: fc.array(
    fc.record({
      heading: words(limits.template.headingMaxLength),
      wants: words(limits.template.wantsMaxLength),
    }),
    { minLength: 1, maxLength: limits.template.sections },
  ),
});

/** Returns the settings as stored after saving the given templates one after another. */
function storeTemplates(...savedTemplates: Parameters<typeof templateSettings>[0][]) {
  const stored = new Map<string, string>();
  for (const template of savedTemplates) {
    for (const { key, value } of templateSettings(template)) stored.set(key, value);
  }
  return [...stored].map(([config_key, config_value]) => ({
    group_name: templateGroup,
    config_key,
    config_value,
  }));
}

describe('custom template', () => {
  it('survives a round trip through the settings, even over an older template', () => {
    fc.assert(
      fc.property(templates, templates, (before, after) => {
        expect(parseTemplate(storeTemplates(before, after))).toEqual(after);
      }),
    );
  });

  it.each(['nonsense', 'null', '7', '{"heading":1,"wants":""}'])(
    'skips a section stored as %s',
    (config_value) => {
      const stored = storeTemplates({ name: 'Walk', sections: [{ heading: 'River', wants: '' }] });
      const invalid = { group_name: templateGroup, config_key: '2', config_value };
      const others = stored.filter(({ config_key }) => config_key !== '2');
      expect(parseTemplate([...others, invalid])?.sections).toEqual([
        { heading: 'River', wants: '' },
      ]);
    },
  );

  it('is null until a template is saved', () => {
    expect(parseTemplate([])).toBeNull();
    const other = { group_name: 'radio_save_style', config_key: 'name', config_value: '1' };
    expect(parseTemplate([other])).toBeNull();
  });
});
