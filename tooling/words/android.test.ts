/**
 * Tests that the Android project contains no text that would need translating: it gets all its messages from the app.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const main = join(import.meta.dirname, '..', '..', 'apps', 'app', 'android', 'app', 'src', 'main');
const read = (extension: string) =>
  (readdirSync(main, { recursive: true }) as string[])
    .filter((name) => name.endsWith(extension) && !name.startsWith('assets'))
    .map((name) => readFileSync(join(main, name), 'utf8'));

it('the Android project has no string resources except the app name', () => {
  const strings = read('.xml').flatMap((xml) => xml.match(/<string [^>]*>/g) ?? []);
  expect(strings).toEqual(['<string name="app_name" translatable="false">']);
});

it('the Android code contains no texts for notifications or labels', () => {
  const code = read('.java');
  expect(code).not.toEqual([]);
  const texts = code.flatMap(
    (file) =>
      file.match(
        /(?:setName|addAction|setSubText|setContentTitle|setContentText|setTicker|makeText|createChooser)\([^;]*"/g,
      ) ?? [],
  );
  expect(texts).toEqual([]);
  const labels = read('AndroidManifest.xml').flatMap(
    (xml) => xml.match(/android:label="[^"]*"/g) ?? [],
  );
  expect(new Set(labels)).toEqual(new Set(['android:label="@string/app_name"']));
});
