// Sounds, synthesised here, so that no file is loaded.
export const SOUNDS = { bell: [880, 1320], wood: [330, 247], chime: [523, 659, 784] } as const;
export type Sound = keyof typeof SOUNDS;

const NOTE_S = 0.16;
const LOUD = 0.2;

export function play(sound: Sound): void {
  const context = new AudioContext();
  void context.resume(); // a page that has played sounds may do so again without a user gesture
  for (const [nth, pitch] of SOUNDS[sound].entries()) note(context, pitch, context.currentTime + nth * NOTE_S);
  setTimeout(() => void context.close(), 2_000);
}

function note(context: AudioContext, pitch: number, at: number): void {
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(LOUD, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + 3 * NOTE_S);
  tone.connect(volume).connect(context.destination);
  tone.start(at);
  tone.stop(at + 3 * NOTE_S);
}
