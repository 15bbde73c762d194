import Capacitor
import UIKit

/// Receives files shared by other apps, and saves exported files where the user chooses. Received files persist until
/// they are dropped.
@objc(FilesPlugin)
class FilesPlugin: CAPPlugin, CAPBridgedPlugin, UIDocumentPickerDelegate {
    let identifier = "FilesPlugin"
    let jsName = "Files"
    let pluginMethods: [CAPPluginMethod] = [
        CAPPluginMethod(name: "write", returnType: CAPPluginReturnPromise),
        CAPPluginMethod(name: "save", returnType: CAPPluginReturnPromise),
        CAPPluginMethod(name: "discard", returnType: CAPPluginReturnPromise),
        CAPPluginMethod(name: "shared", returnType: CAPPluginReturnPromise),
        CAPPluginMethod(name: "dropShared", returnType: CAPPluginReturnPromise)
    ]

    private let files = FileManager.default
    /// The call that waits for the user to choose a location.
    private var saving: CAPPluginCall?

    override func load() {
        // Deletes files written before this start, which other apps have read by now.
        try? files.removeItem(at: outbox)
        NotificationCenter.default.addObserver(
            self, selector: #selector(handed), name: .capacitorOpenURL, object: nil)
    }

    @objc private func handed() {
        notifyListeners("shared", data: [:])
    }

    /// Writes a piece of an outgoing file; piece 0 replaces the file. Resolves with its URI.
    @objc func write(_ call: CAPPluginCall) {
        guard let bytes = Data(base64Encoded: call.getString("data") ?? "") else {
            call.reject("Invalid base64 data.", "io_failed")
            return
        }
        do {
            let file = try outgoing(call)
            if call.getInt("piece") ?? 0 == 0 {
                try bytes.write(to: file)
            } else {
                let handle = try FileHandle(forWritingTo: file)
                defer { try? handle.close() }
                try handle.seekToEnd()
                try handle.write(contentsOf: bytes)
            }
            call.resolve(["uri": file.absoluteString])
        } catch {
            call.reject(error.localizedDescription, "storage_full", error)
        }
    }

    /// Lets the user choose a location and saves a written file there. Resolves with whether it was saved.
    @objc func save(_ call: CAPPluginCall) {
        DispatchQueue.main.async {
            do {
                let picker = UIDocumentPickerViewController(
                    forExporting: [try self.outgoing(call)], asCopy: true)
                picker.delegate = self
                self.saving?.resolve(["saved": false])
                self.saving = call
                self.bridge?.viewController?.present(picker, animated: true)
            } catch {
                call.reject(error.localizedDescription, "storage_full", error)
            }
        }
    }

    func documentPicker(_ picker: UIDocumentPickerViewController, didPickDocumentsAt urls: [URL]) {
        saving?.resolve(["saved": !urls.isEmpty])
        saving = nil
    }

    func documentPickerWasCancelled(_ picker: UIDocumentPickerViewController) {
        saving?.resolve(["saved": false])
        saving = nil
    }

    /// Deletes a written file.
    @objc func discard(_ call: CAPPluginCall) {
        do {
            let file = try outgoing(call)
            if files.fileExists(atPath: file.path) { try files.removeItem(at: file) }
            call.resolve()
        } catch {
            call.reject(error.localizedDescription, "io_failed", error)
        }
    }

    /// Lists files shared by other apps and not dropped, oldest first. iOS stores them in the inbox.
    @objc func shared(_ call: CAPPluginCall) {
        do {
            let keys: [URLResourceKey] = [.contentModificationDateKey, .addedToDirectoryDateKey]
            let found = files.fileExists(atPath: inbox.path)
                ? try files.contentsOfDirectory(at: inbox, includingPropertiesForKeys: keys) : []
            let dated = try found.map { file -> (file: URL, date: Date, came: Date?) in
                let values = try file.resourceValues(forKeys: Set(keys))
                return (file, values.contentModificationDate ?? Date(), values.addedToDirectoryDate)
            }
            let about = dated.sorted { $0.date < $1.date }.map { file, date, came -> [String: Any] in
                let modified = (date.timeIntervalSince1970 * 1000).rounded()
                // iOS reuses the names of dropped files; the time of receipt distinguishes them.
                let added = ((came ?? date).timeIntervalSince1970 * 1000).rounded()
                return ["uri": file.absoluteString, "name": file.lastPathComponent, "modified": modified, "came": added]
            }
            call.resolve(["files": about])
        } catch {
            call.reject(error.localizedDescription, "io_failed", error)
        }
    }

    @objc func dropShared(_ call: CAPPluginCall) {
        do {
            let name = URL(string: call.getString("uri") ?? "")?.lastPathComponent ?? ""
            let file = inbox.appendingPathComponent(name)
            if !name.isEmpty, files.fileExists(atPath: file.path) { try files.removeItem(at: file) }
            call.resolve()
        } catch {
            call.reject(error.localizedDescription, "io_failed", error)
        }
    }

    private var inbox: URL {
        files.urls(for: .documentDirectory, in: .userDomainMask)[0].appendingPathComponent("Inbox")
    }

    private var outbox: URL {
        files.urls(for: .cachesDirectory, in: .userDomainMask)[0].appendingPathComponent("outgoing")
    }

    /// Uses only the last path component, so that the file stays in its folder.
    private func outgoing(_ call: CAPPluginCall) throws -> URL {
        try files.createDirectory(at: outbox, withIntermediateDirectories: true)
        let name = ((call.getString("name") ?? "") as NSString).lastPathComponent
        return outbox.appendingPathComponent(name.isEmpty ? "file" : name)
    }
}
