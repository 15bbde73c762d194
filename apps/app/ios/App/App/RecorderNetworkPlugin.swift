import Capacitor
import NetworkExtension

/// Joins a recorder's network with the user's consent, until the network is left.
///
/// `join` rejects with one of these codes:
/// - `declined` if the user refuses, the network is not joined within `timeoutMs`, or it is left before it is joined
/// - `unsupported` if the name or password is invalid for WPA2, or the app does not have the entitlement
/// - `failed` for any other reason
@objc(RecorderNetworkPlugin)
class RecorderNetworkPlugin: CAPPlugin, CAPBridgedPlugin {
    let identifier = "RecorderNetworkPlugin"
    let jsName = "RecorderNetwork"
    let pluginMethods: [CAPPluginMethod] = [
        CAPPluginMethod(name: "join", returnType: CAPPluginReturnPromise),
        CAPPluginMethod(name: "leave", returnType: CAPPluginReturnPromise)
    ]

    /// Time limit in seconds for the association after iOS has accepted the configuration. iOS reports success before
    /// the association, even if the association fails later and iOS shows an error to the user.
    private static let associationTimeout: TimeInterval = 15

    private let manager = NEHotspotConfigurationManager.shared

    /// The name of the joined network. It is persisted, so that the app can leave the network at its next start if it
    /// was terminated.
    private var joinedSsid: String? {
        get { UserDefaults.standard.string(forKey: "recorder-network") }
        set { UserDefaults.standard.set(newValue, forKey: "recorder-network") }
    }

    override func load() {
        leaveJoined()
    }

    @objc func join(_ call: CAPPluginCall) {
        guard let ssid = call.getString("ssid"), let password = call.getString("password") else {
            call.reject("Missing network name or password.", "unsupported")
            return
        }
        leaveJoined()
        let network = NEHotspotConfiguration(ssid: ssid, passphrase: password, isWEP: false)
        // With `joinOnce`, iOS would leave the network when the app has been in the background for some seconds.
        network.joinOnce = false
        joinedSsid = ssid
        let deadline = Date(timeIntervalSinceNow: TimeInterval(call.getInt("timeoutMs") ?? 60_000) / 1000)
        manager.apply(network) { error in
            guard let error = error as NSError? else {
                let associationDeadline = Date(timeIntervalSinceNow: Self.associationTimeout)
                self.awaitAssociation(with: ssid, until: min(deadline, associationDeadline), for: call)
                return
            }
            guard error.domain == NEHotspotConfigurationErrorDomain else {
                call.reject(error.localizedDescription, "failed", error)
                return
            }
            switch NEHotspotConfigurationError(rawValue: error.code) {
            case .alreadyAssociated:
                call.resolve()
            case .userDenied:
                call.reject(error.localizedDescription, "declined", error)
            case .invalidSSID, .invalidWPAPassphrase, .invalid:
                call.reject(error.localizedDescription, "unsupported", error)
            default:
                call.reject(error.localizedDescription, "failed", error)
            }
        }
    }

    /// Leaves the network, if one was joined.
    @objc func leave(_ call: CAPPluginCall) {
        leaveJoined()
        call.resolve()
    }

    /// Checks twice a second whether the phone has joined the network.
    private func awaitAssociation(with ssid: String, until deadline: Date, for call: CAPPluginCall) {
        NEHotspotNetwork.fetchCurrent { current in
            if self.joinedSsid == ssid, current?.ssid == ssid {
                call.resolve()
            } else if self.joinedSsid == ssid, Date() < deadline {
                DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) {
                    self.awaitAssociation(with: ssid, until: deadline, for: call)
                }
            } else {
                if self.joinedSsid == ssid { self.leaveJoined() }
                call.reject("The network was not joined.", "declined")
            }
        }
    }

    private func leaveJoined() {
        guard let ssid = joinedSsid else { return }
        manager.removeConfiguration(forSSID: ssid)
        joinedSsid = nil
    }
}
