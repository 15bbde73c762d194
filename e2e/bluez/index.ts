export { type BluezOptions, EmulatedBluez } from './bluez.ts';
export { bluetoothLaunchOptions, chooseFirstDevice } from './chromium.ts';
