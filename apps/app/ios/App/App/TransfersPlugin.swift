import Capacitor
import UIKit

/// Asks iOS for time while something moves. It gives about half a minute after the app went to the background, and
/// shows nothing; what comes over Bluetooth may go on beyond it (`bluetooth-central`).
@objc(TransfersPlugin)
class TransfersPlugin: CAPPlugin, CAPBridgedPlugin {
    let identifier = "TransfersPlugin"
    let jsName = "Transfers"
    let pluginMethods: [CAPPluginMethod] = [
        CAPPluginMethod(name: "show", returnType: CAPPluginReturnPromise),
        CAPPluginMethod(name: "hide", returnType: CAPPluginReturnPromise)
    ]

    /// Touched on the main thread alone.
    private var task = UIBackgroundTaskIdentifier.invalid

    @objc func show(_ call: CAPPluginCall) {
        DispatchQueue.main.async {
            if self.task == .invalid {
                self.task = UIApplication.shared.beginBackgroundTask(withName: "transfer") { self.end() }
            }
            call.resolve()
        }
    }

    /// Harmless when nothing moves.
    @objc func hide(_ call: CAPPluginCall) {
        DispatchQueue.main.async {
            self.end()
            call.resolve()
        }
    }

    private func end() {
        guard task != .invalid else { return }
        UIApplication.shared.endBackgroundTask(task)
        task = .invalid
    }
}
