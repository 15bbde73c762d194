/**
 * Scripts of the scenes bundled with the virtual recorder. A paragraph is a list of sentences. `generate.ts`
 * synthesizes the audio from them.
 */

/** The flite voice: `slt` is female, and `rms` is male. */
export type Voice = 'slt' | 'rms';

export interface Paragraph {
  readonly voice: Voice;
  readonly sentences: readonly string[];
}

export interface SceneScript {
  /** File name. `microphone` is played to the microphone, and all other scenes are preloaded as sessions. */
  readonly name: string;
  readonly title: string;
  readonly mode: 'normal' | 'call';
  readonly scene: 'call' | 'meeting' | 'note';
  readonly paragraphs: readonly Paragraph[];
  /** Names in the text, as they would appear in the user's vocabulary. */
  readonly names?: readonly string[];
}

export const createParagraph = (voice: Voice, ...sentences: string[]): Paragraph => ({
  voice,
  sentences,
});

export const scripts: readonly SceneScript[] = [
  {
    name: 'microphone',
    title: 'Saturday plans',
    mode: 'normal',
    scene: 'note',
    paragraphs: [
      createParagraph(
        'slt',
        'Here are my plans for the weekend.',
        'On Saturday the weather will be warm and dry.',
        'We could take the early train to the mountains and walk along the river.',
      ),
      createParagraph(
        'slt',
        'I need to buy the tickets on Thursday evening.',
        'I also have to ask my brother about the big picnic basket.',
        'When does the last train leave the station?',
      ),
    ],
  },
  {
    name: 'community-garden',
    title: 'Community garden, first meeting',
    mode: 'normal',
    scene: 'meeting',
    paragraphs: [
      createParagraph(
        'slt',
        'Good morning, and thank you all for coming.',
        'Today we are planning the new community garden next to the library.',
        'The city has given us the land for five years.',
      ),
      createParagraph(
        'rms',
        'The ground is good, but the water is a problem.',
        'The nearest water pipe is on the other side of the street.',
      ),
      createParagraph(
        'slt',
        'So we need to ask the water company for a price.',
        'Robert will call the company on Monday.',
        'How many people have signed up so far?',
      ),
      createParagraph(
        'rms',
        'Twenty four families have signed up, and three teachers.',
        'I will send the list to everyone this afternoon.',
      ),
      createParagraph(
        'slt',
        'Very good.',
        'We decided to put the apple trees on the left side and the roses on the right side.',
        'The young trees will cost about six hundred dollars.',
        'The next meeting is on Thursday evening at seven.',
      ),
    ],
  },
  {
    name: 'hotel-call',
    title: 'Call with the hotel',
    mode: 'call',
    scene: 'call',
    paragraphs: [
      createParagraph(
        'rms',
        'Good afternoon, this is the hotel by the lake.',
        'How can I help you?',
      ),
      createParagraph(
        'slt',
        'Hello, I would like to change my reservation.',
        'We are arriving on Wednesday, one day later than planned.',
      ),
      createParagraph(
        'rms',
        'That is no problem.',
        'I have given you the same room from Wednesday, for three nights.',
        'The price will be the same.',
      ),
      createParagraph(
        'slt',
        'Thank you, that is very kind.',
        'Is there a parking place for our car?',
      ),
      createParagraph(
        'rms',
        'Yes, the parking is free for our guests.',
        'Please remember to bring your passport.',
        'I will send you a letter with all the details today.',
      ),
    ],
  },
  {
    name: 'wild-birds',
    title: 'The birds in the garden',
    mode: 'normal',
    scene: 'note',
    paragraphs: [
      createParagraph(
        'slt',
        'There are some wild birds living in my garden this year.',
        'Every morning at about seven they come to the kitchen window and wait for me.',
      ),
      createParagraph(
        'slt',
        'Last summer a couple of them were building a nest near the window.',
        'They seem to prefer the open fields to the dark forest.',
        'Is it possible that the same birds come back every year?',
      ),
      createParagraph(
        'slt',
        'Tomorrow morning I want to record the song.',
        'I have to ask my neighbor what kind of birds they are.',
      ),
    ],
  },
];

/** A meeting with many names that speech recognition doesn't expect. Not preloaded as a session. */
export const namesScript: SceneScript = {
  name: 'names/harbor-office',
  title: 'Harbor office, first meeting',
  mode: 'normal',
  scene: 'meeting',
  names: [
    ...['Agnieszka', 'Marchetti', 'Okonkwo', 'Velmora', 'Nakamura', 'Siobhan', 'Kowalczyk'],
    ...['Brixleigh', 'Yevgenia', 'Haverkamp', 'Quillstack', 'Adebayo', 'Ottoline', 'Delacroix'],
  ],
  paragraphs: [
    createParagraph('slt', 'Agnieszka could not come today, so Marchetti will take the notes.'),
    createParagraph(
      'rms',
      'Yesterday I met Okonkwo at the station.',
      'He said that the company Velmora will send us a price until Friday.',
    ),
    createParagraph('slt', 'Please send the plan to Nakamura and to Siobhan.'),
    createParagraph('rms', 'We should also ask Kowalczyk about the windows from Brixleigh.'),
    createParagraph('slt', 'Then let us write to Yevgenia before the weekend.'),
    createParagraph(
      'rms',
      'The doctor wants to see Haverkamp on Tuesday.',
      'We decided to use the program Quillstack.',
    ),
    createParagraph('slt', 'Adebayo is on holiday with Ottoline until the end of the month.'),
    createParagraph('rms', 'The next meeting is at the house of Delacroix, on Thursday at six.'),
  ],
};
