import type { Setting, SummaryTemplate } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';

/** The settings group of the custom template. It stores the name, and each section under its number, starting at 1. */
export const templateGroup = 'summary_template';
const nameKey = 'name';

type Section = SummaryTemplate['sections'][number];

/** Returns the custom template, or null if the user has not saved one. */
export function parseTemplate(settings: readonly Setting[]): SummaryTemplate | null {
  const values = new Map(
    settings
      .filter(({ group_name }) => group_name === templateGroup)
      .map(({ config_key, config_value }) => [config_key, config_value]),
  );
  const sections: Section[] = [];
  for (let number = 1; number <= limits.template.sections; number += 1) {
    const value = values.get(String(number));
    const section = value && parseSection(value);
    if (section) sections.push(section);
  }
  const name = values.get(nameKey);
  return name && sections.length > 0 ? { name, sections } : null;
}

/** Parses a stored section. Returns null if the value is invalid. */
function parseSection(value: string): Section | null {
  let stored: Partial<Section> | null;
  try {
    stored = JSON.parse(value);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  const { heading, wants } = stored ?? {};
  return typeof heading === 'string' && typeof wants === 'string' ? { heading, wants } : null;
}

/** Returns the settings that store a template. Removed sections become empty. */
export function templateSettings(template: SummaryTemplate): { key: string; value: string }[] {
  const sections = Array.from({ length: limits.template.sections }, (_, index) => {
    const section = template.sections[index];
    return { key: String(index + 1), value: section ? JSON.stringify(section) : '' };
  });
  return [{ key: nameKey, value: template.name }, ...sections];
}
