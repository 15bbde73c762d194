import Capacitor
import UIKit

/// Files that come and go: what other apps hand to this one is kept until it is dropped, and what the pages made is
/// written where its owner says.
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
    /// The one that waits for its owner to choose a place.
    private var saving: CAPPluginCall?

    override func load() {
        // What was lent to other apps before this start, they have read by now.
        try? files.removeItem(at: outbox)
        NotificationCenter.default.addObserver(
            self, selector: #selector(handed), name: .capacitorOpenURL, object: nil)
    }

    @objc private func handed() {
        notifyListeners("shared", data: [:])
    }

    /// Writes a piece of a file that goes out; piece 0 begins it anew. Resolves with its address.
    @objc func write(_ call: CAPPluginCall) {
        guard let bytes = Data(base64Encoded: call.getString("data") ?? "") else {
            call.reject("not base64", "io_failed")
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

    /// Has the owner say where a written file shall be kept. Resolves with whether it is.
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

    /// Drops a written file.
    @objc func discard(_ call: CAPPluginCall) {
        do {
            let file = try outgoing(call)
            if files.fileExists(atPath: file.path) { try files.removeItem(at: file) }
            call.resolve()
        } catch {
            call.reject(error.localizedDescription, "io_failed", error)
        }
    }

    /// What other apps handed over and was not dropped, the oldest first: iOS puts it into the inbox.
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
                // A name that was dropped is used again: when it came tells one from another.
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

    /// The name alone: nothing outside of its folder.
    private func outgoing(_ call: CAPPluginCall) throws -> URL {
        try files.createDirectory(at: outbox, withIntermediateDirectories: true)
        let name = ((call.getString("name") ?? "") as NSString).lastPathComponent
        return outbox.appendingPathComponent(name.isEmpty ? "file" : name)
    }
}
