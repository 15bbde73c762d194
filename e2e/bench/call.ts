import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { parseWave, writeWave } from '@linnet/audio/wave';
import { expect } from '@playwright/test';
import { Phone } from '../support/phone.ts';
import { openSharedTab } from '../support/shared-tab.ts';
import { Stack } from '../support/stack.ts';
import { type Measurement, roundToThousandths } from './measurement.ts';

type Speaker = 'Me' | 'Others';
type Word = { readonly text: string; readonly speaker: Speaker };

const dialogue: readonly { readonly speaker: Speaker; readonly text: string }[] = [
  { speaker: 'Me', text: 'Good morning, can you hear me now?' },
  { speaker: 'Others', text: 'Yes, I can hear you very well.' },
  { speaker: 'Me', text: 'We have to talk about the new garden behind the house.' },
  { speaker: 'Others', text: 'I think the trees should be near the water.' },
  { speaker: 'Me', text: 'How much money do we need for the first year?' },
  { speaker: 'Others', text: 'About five hundred dollars for the work and the stones.' },
  { speaker: 'Me', text: 'That is a good plan, and I will send you the letter today.' },
  { speaker: 'Others', text: 'Thank you. I will call the company tomorrow morning.' },
];
const voices = { Me: 'rms', Others: 'slt' } as const;

/** Title of the tab that plays the call. */
const CALL_TITLE = 'Call with Miriam';

/** Seconds before the first line. Chromium's fake microphone starts its file before the recording starts. */
const LEAD_SECONDS = 6;

/** Seconds between two lines. Longer than the tab may lag behind the microphone. */
const GAP_SECONDS = 3;

/** Synthesizes both sides of the dialogue. */
async function synthesize(folder: string): Promise<Record<Speaker, Buffer>> {
  const file = join(folder, 'line.wav');
  const parts: Record<Speaker, Int16Array[]> = { Me: [], Others: [] };
  const add = (speaker: Speaker, samples: Int16Array) => {
    const silentSpeaker = speaker === 'Me' ? 'Others' : 'Me';
    parts[speaker].push(samples);
    parts[silentSpeaker].push(new Int16Array(samples.length));
  };
  add('Me', new Int16Array(LEAD_SECONDS * SAMPLE_RATE));
  for (const { speaker, text } of dialogue) {
    execFileSync('flite', ['-voice', voices[speaker], '-t', text, '-o', file]);
    add(speaker, parseWave(new Uint8Array(await readFile(file))).samples);
    add(speaker, new Int16Array(GAP_SECONDS * SAMPLE_RATE));
  }
  const wave = (speaker: Speaker) =>
    Buffer.from(
      writeWave(Int16Array.from(parts[speaker].flatMap((part) => [...part])), SAMPLE_RATE),
    );
  return { Me: wave('Me'), Others: wave('Others') };
}

const toWords = (text: string, speaker: Speaker): Word[] =>
  (text.toLowerCase().match(/[a-z']+/g) ?? []).map((word) => ({ text: word, speaker }));

/** Pairs the words that occur in the same order in both texts (longest common subsequence). */
function pairWords(reference: readonly Word[], recognized: readonly Word[]): [Word, Word][] {
  /** Lengths of the longest common subsequences of the remaining words, indexed by the first word of each text. */
  const lengths = Array.from({ length: reference.length + 1 }, () =>
    new Array<number>(recognized.length + 1).fill(0),
  );
  const lengthAt = (row: number, column: number) => lengths[row]?.[column] ?? 0;
  for (let row = reference.length - 1; row >= 0; row -= 1) {
    for (let column = recognized.length - 1; column >= 0; column -= 1) {
      const isEqual = reference[row]?.text === recognized[column]?.text;
      (lengths[row] as number[])[column] = isEqual
        ? 1 + lengthAt(row + 1, column + 1)
        : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  const pairs: [Word, Word][] = [];
  for (let row = 0, column = 0; row < reference.length && column < recognized.length; ) {
    const [a, b] = [reference[row] as Word, recognized[column] as Word];
    if (a.text === b.text) {
      pairs.push([a, b]);
      row += 1;
      column += 1;
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}

/**
 * Measures the share of words in a recorded call that are attributed to the correct speaker. The microphone and a
 * shared tab of a real browser play a dialogue, and the server transcribes it.
 */
export async function run(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-bench-'));
  const audio = await synthesize(folder);
  const microphone = join(folder, 'microphone.wav');
  await writeFile(microphone, audio.Me);
  const stack = await Stack.start();
  const phone = await Phone.create(stack, { microphone, sharedTab: CALL_TITLE });
  try {
    const app = await phone.start();
    const { page } = app;
    await app.signUp('caller@example.org');
    const call = await openSharedTab(page, CALL_TITLE, audio.Others);
    await page.getByTestId('record-options').click();
    const options = page.getByRole('region', { name: 'Recording options' });
    await options.getByText('Call', { exact: true }).click();
    await app.recordButton('idle').click();
    const notice = page.getByRole('alertdialog');
    await notice.getByRole('button', { name: 'Start recording' }).click();
    await expect(app.recordButton('recording')).toBeVisible();
    await call.play();
    await call.ended();
    await app.stopRecording();
    const row = app.rows().first();
    await expect(row).toHaveAttribute('data-state', 'done', { timeout: 300_000 });
    await row.getByRole('link').first().click();

    const paragraphs = page.getByTestId('paragraph');
    await expect(paragraphs.first()).toBeVisible();
    const recognized: Word[] = [];
    for (const paragraph of await paragraphs.all()) {
      const speaker = await paragraph.getByTestId('paragraph-speaker').innerText();
      const text = await paragraph.getByRole('paragraph').innerText();
      recognized.push(...toWords(text, speaker as Speaker));
    }
    const reference = dialogue.flatMap(({ speaker, text }) => toWords(text, speaker));
    const pairs = pairWords(reference, recognized);
    const rightPairs = pairs.filter(([expected, actual]) => expected.speaker === actual.speaker);
    return [
      {
        name: 'call: words with the right speaker ÷ words recognized',
        value: roundToThousandths(rightPairs.length / pairs.length),
        unit: 'ratio',
        detail: { spoken: reference.length, recognized: pairs.length, right: rightPairs.length },
      },
    ];
  } finally {
    await phone.discard();
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
