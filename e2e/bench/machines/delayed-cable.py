"""Connects two network namespaces by a cable that delays each Ethernet frame. Linux only, as root.

Arguments: delay in milliseconds, maximum transmission unit in bytes, then a namespace and a new interface's name for
each end. The namespace "-" is that of the parent process. Prints "ready" once both interfaces exist. They are deleted when the
process ends, which it does when its standard input is closed.

The traffic control of Linux (netem) can delay packets too, but many kernels are built without it.
"""

import collections
import ctypes
import fcntl
import os
import select
import signal
import struct
import subprocess
import sys
import time

# linux/if_tun.h and linux/sched.h
TUNSETIFF = 0x400454CA
IFF_TAP = 0x0002
IFF_NO_PI = 0x1000
CLONE_NEWNET = 0x40000000
# An Ethernet header with a VLAN tag, in bytes.
HEADER_BYTES = 18
# Frames that are read at once before waiting frames are written.
FRAMES_PER_READ = 64


def enter_namespace(path: str) -> None:
    """Moves this process to a network namespace."""
    libc = ctypes.CDLL(None, use_errno=True)
    with open(path) as namespace:
        if libc.setns(namespace.fileno(), CLONE_NEWNET) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number), path)


def open_interface(name: str, mtu: str) -> int:
    """Creates an interface in the current namespace. Returns the file descriptor of its frames."""
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TAP | IFF_NO_PI))
    subprocess.run(["ip", "link", "set", name, "mtu", mtu], check=True)
    return device


def open_ends(mtu: str, ends: list[tuple[str, str]]) -> list[int]:
    """Creates an interface in each namespace."""
    devices = []
    for namespace, name in ends:
        # The process that started this one stays in its namespace.
        enter_namespace(f"/proc/{os.getppid()}/ns/net" if namespace == "-" else f"/run/netns/{namespace}")
        devices.append(open_interface(name, mtu))
    return devices


def read_frames(device: int, size: int) -> list[bytes]:
    """Returns the frames that an interface has sent."""
    frames = []
    while len(frames) < FRAMES_PER_READ:
        try:
            frames.append(os.read(device, size))
        except OSError:
            # There are no more frames, or the interface was deleted with its namespace.
            break
    return frames


def write_frame(device: int, frame: bytes) -> None:
    """Delivers a frame, which is lost if the interface is down or its queue is full, as on a real cable."""
    try:
        os.write(device, frame)
    except OSError:
        pass


def forward(devices: list[int], delay: float, size: int) -> None:
    """Forwards frames in both directions until standard input is closed."""
    # The delay is constant, so frames are due in the order in which they were read.
    waiting: collections.deque[tuple[float, int, bytes]] = collections.deque()
    other = {devices[0]: devices[1], devices[1]: devices[0]}
    while True:
        timeout = max(0.0, waiting[0][0] - time.monotonic()) if waiting else None
        readable, _, _ = select.select([sys.stdin, *devices], [], [], timeout)
        if sys.stdin in readable:
            return
        for device in readable:
            due = time.monotonic() + delay
            waiting.extend((due, other[device], frame) for frame in read_frames(device, size))
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, device, frame = waiting.popleft()
            write_frame(device, frame)


def main() -> None:
    # Ctrl-C also reaches this process, but machines need their network until they are stopped.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    delay_ms, mtu, *rest = sys.argv[1:]
    devices = open_ends(mtu, [(rest[0], rest[1]), (rest[2], rest[3])])
    print("ready", flush=True)
    forward(devices, float(delay_ms) / 1000, int(mtu) + HEADER_BYTES)


main()
