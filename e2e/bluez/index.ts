export { type BluezOptions, EmulatedBluez } from './bluez.ts';
export { bluetoothLaunchOptions, chooseFirstDevice } from './chromium.ts';
export { emulatedPeripheral, virtualRecorder } from './peripheral.ts';
