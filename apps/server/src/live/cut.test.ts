import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planCut } from './cut.ts';

const quietPackets = (packets: number) => Array<number>(packets).fill(60);
const silentPackets = (packets: number) => Array<number>(packets).fill(5);
const speechPackets = (packets: number) => Array<number>(packets).fill(3000);
const noFloor = Number.POSITIVE_INFINITY;

describe('planCut', () => {
  it('makes no cut without packets or during speech', () => {
    expect(planCut([], noFloor, false)).toEqual({ kind: 'wait' });
    expect(planCut([...quietPackets(50), ...speechPackets(200)], noFloor, false)).toEqual({
      kind: 'wait',
    });
  });

  it('shows text at a pause of half a second in a short slice', () => {
    const cut = planCut(
      [...quietPackets(20), ...speechPackets(100), ...quietPackets(30)],
      noFloor,
      false,
    );
    expect(cut).toMatchObject({ kind: 'tentative' });
    expect(cut).toMatchObject({ to: expect.toSatisfy((to: number) => to >= 120 && to < 150) });
  });

  it('settles a slice of six seconds at the next pause, and a short slice at a long pause', () => {
    const plan = (speechLength: number, pauseLength: number) =>
      planCut(
        [...quietPackets(20), ...speechPackets(speechLength), ...quietPackets(pauseLength)],
        noFloor,
        false,
      );
    expect(plan(230, 30)).toMatchObject({ kind: 'tentative' });
    expect(plan(300, 30)).toMatchObject({ kind: 'settle' });
    expect(plan(100, 110)).toMatchObject({ kind: 'settle' });
  });

  it('cuts at a pause even if speech has already continued', () => {
    const phrase = [...speechPackets(110), ...quietPackets(30)];
    const shortCut = planCut(
      [...quietPackets(20), ...phrase, ...speechPackets(60)],
      noFloor,
      false,
    );
    expect(shortCut).toMatchObject({ kind: 'tentative', speechEnd: 131 });
    const two = planCut(
      [...quietPackets(20), ...phrase, ...phrase, ...speechPackets(10)],
      noFloor,
      false,
    );
    expect(two).toMatchObject({ kind: 'tentative', speechEnd: 271 });
    // The third pause makes the slice long enough. The fourth pause is for the next slice.
    const slice = [...phrase, ...phrase, ...phrase, ...phrase, ...speechPackets(60)];
    expect(planCut([...quietPackets(20), ...slice], noFloor, false)).toMatchObject({
      kind: 'settle',
      speechEnd: 411,
    });
  });

  it('divides speech without a pause at its quietest point', () => {
    const levels = [...quietPackets(20), ...speechPackets(1200)];
    levels.fill(900, 690, 710);
    const cut = planCut(levels, noFloor, false);
    expect(cut).toMatchObject({ kind: 'settle' });
    expect(Math.abs((cut as { to: number }).to - 700)).toBeLessThan(8);
  });

  it('settles silence before speech without recognizing it', () => {
    expect(planCut([...silentPackets(300), ...speechPackets(50)], noFloor, false)).toMatchObject({
      kind: 'silence',
      to: expect.toSatisfy((to: number) => to > 250 && to < 300),
    });
    expect(planCut(silentPackets(500), noFloor, false)).toMatchObject({ kind: 'silence' });
  });

  it('leaves quiet audio to the detector, because a distant speaker may be quiet', () => {
    expect(planCut([...quietPackets(300), ...speechPackets(50)], noFloor, false).kind).toBe(
      'settle',
    );
    expect(planCut(quietPackets(500), noFloor, false).kind).toBe('settle');
  });

  it('recognizes speech that starts immediately, using the noise floor before it', () => {
    expect(planCut([...speechPackets(400), ...quietPackets(30)], noFloor, false)).toMatchObject({
      kind: 'settle',
    });
    expect(planCut(speechPackets(10), 60, true)).toMatchObject({ kind: 'settle', to: 10 });
  });

  it('settles all audio of a finished recording in slices of at most twenty seconds', () => {
    const levels = fc.array(
      fc.record({ level: fc.constantFrom(0, 20, 60, 900, 3000), length: fc.nat(700) }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(levels, (runs) => {
        let openLevels = runs.flatMap(({ level, length }) => Array<number>(length).fill(level));
        let rounds = openLevels.length + 1;
        while (openLevels.length > 0) {
          const cut = planCut(openLevels, noFloor, true);
          if (cut.kind === 'wait' || cut.kind === 'tentative') throw new Error(cut.kind);
          expect(cut.to).toBeGreaterThan(0);
          if (cut.kind === 'settle') expect(cut.to).toBeLessThanOrEqual(1000);
          openLevels = openLevels.slice(cut.to);
          rounds -= 1;
          expect(rounds).toBeGreaterThan(0);
        }
      }),
      { numRuns: 200 },
    );
  });
});
