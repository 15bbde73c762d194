import type { Edit } from '@linnet/contract/operations';
import type { RecordDetail } from '@linnet/sync';
import type { Random } from './random.ts';

/** Relative frequency of each kind of edit. Permanent deletion is rare, because the recording can't be edited afterwards. */
const editFrequencies = {
  rename: 12,
  tag: 14,
  place: 4,
  language: 4,
  date: 4,
  speaker: 6,
  proposal: 2,
  marker: 12,
  note: 8,
  tick: 8,
  mindMap: 3,
  archive: 6,
  protect: 4,
  bin: 8,
  recover: 8,
  edit: 14,
  mark: 8,
  paragraphSpeaker: 5,
  setting: 5,
  delete: 0.4,
  /** An edit that the server rejects as invalid. */
  invalid: 0.1,
} as const;

const tags = ['choir', 'work', 'häuslich', '会議', 'a', 'b', 'c'];
const voices = ['S1', 'S2', 'constructor'];
const words = ['heron', 'motet', 'ظل', '雨', 'tenor', 'hall', ' spaced ', ''];
const settings = [
  ['radio_save_style', 'local'],
  ['radio_save_style', 'app'],
  ['radio_save_style', 'cloud'],
  ['cloud_setting', 'auto_sync'],
] as const;

/** Generates a random edit of a recording or the settings. */
export function randomEdit(random: Random, record: RecordDetail): Edit {
  const recording = record.id;
  const editKind = random.weighted(editFrequencies);
  const paragraph = record.content.length > 0 ? random.pick(record.content).id : null;
  const text = () => `${random.pick(words)} ${random.below(1000)}`;
  switch (editKind) {
    case 'rename':
      return { type: 'recording.rename', recording, name: random.pick([text(), text(), '']) };
    case 'tag':
      return {
        type: 'recording.tag',
        recording,
        tag: random.pick(tags),
        on: random.chance(0.6),
      };
    case 'date': {
      const recorded_at = new Date(Date.UTC(2026, 0, random.below(300))).toISOString();
      return { type: 'recording.date', recording, recorded_at };
    }
    case 'place':
      return {
        type: 'recording.place',
        recording,
        place: random.chance(0.3)
          ? null
          : { latitude: random.below(90), longitude: random.below(180), name: text() },
      };
    case 'language':
      return {
        type: 'recording.language',
        recording,
        language: random.pick([null, 'fr', 'auto', 'unknown']),
      };
    case 'speaker':
      return {
        type: 'recording.speaker',
        recording,
        speaker: random.pick(voices),
        name: random.pick([...words]),
      };
    case 'proposal':
      return { type: 'recording.dismissProposal', recording, speaker: random.pick(voices) };
    case 'marker': {
      const marker = `m${random.below(6)}`;
      return {
        type: 'recording.marker',
        recording,
        marker,
        value: random.chance(0.3)
          ? null
          : { id: marker, time: random.below(4) / 2, label: random.pick(words) },
      };
    }
    case 'note': {
      const note = `n${random.below(6)}`;
      return {
        type: 'recording.note',
        recording,
        note,
        value: random.chance(0.3) ? null : { id: note, time: random.below(4) / 2, text: text() },
      };
    }
    case 'tick':
      return {
        type: 'recording.tick',
        recording,
        item: `todo${random.below(4)}`,
        done: random.chance(0.5),
      };
    case 'mindMap':
      return {
        type: 'recording.mindMap',
        recording,
        mind_map: random.chance(0.3) ? null : [{ id: 'root', parentid: '', topic: text() }],
      };
    case 'archive':
      return { type: 'recording.archive', recording, on: random.chance(0.6) };
    case 'protect':
      return { type: 'recording.protect', recording, on: random.chance(0.6) };
    case 'bin':
      return { type: 'recording.bin', recording };
    case 'recover':
      return { type: 'recording.recover', recording };
    case 'delete':
      return { type: 'recording.delete', recording };
    case 'invalid':
      return random.chance(0.5)
        ? { type: 'recording.rename', recording, name: 'x'.repeat(1000) }
        : { type: 'recording.speaker', recording, speaker: '__proto__', name: text() };
    case 'setting': {
      const [group_name, config_key] = random.pick(settings);
      return {
        type: 'setting.set',
        group_name,
        config_key,
        config_value: random.chance(0.7) ? '0' : '1',
      };
    }
  }
  if (paragraph === null) return { type: 'recording.rename', recording, name: text() };
  switch (editKind) {
    case 'edit':
      return { type: 'paragraph.edit', recording, paragraph, content: text() };
    case 'mark':
      return { type: 'paragraph.mark', recording, paragraph, is_tag: random.chance(0.5) ? 1 : 0 };
    case 'paragraphSpeaker':
      return {
        type: 'paragraph.speaker',
        recording,
        paragraph,
        speaker: random.chance(0.3) ? null : random.pick(voices),
      };
  }
}
