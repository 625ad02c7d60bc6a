"""A signal that a voice detector recognizes as a voice now and then: generated, with the same bits every time.

And what models that tell speakers apart read of it.
"""

import numpy as np

# Numerical Recipes' linear congruential generator: noise that does not change with a library's version.
_MULTIPLIER, _INCREMENT, _MODULUS = 1664525, 1013904223, 2**32


def noise(count: int, seed: int) -> np.ndarray:
    """White noise, uniform in [-1, 1)."""
    values = np.empty(count)
    for i in range(count):
        seed = (_MULTIPLIER * seed + _INCREMENT) % _MODULUS
        values[i] = seed / (_MODULUS / 2) - 1
    return values


def voice(seconds: float, rate: int) -> np.ndarray:
    """Syllables of harmonics with vibrato under two formants, then silences with a burst of noise; within [-1, 1].

    It keeps the detector seldom in doubt. Where a probability is near 1/2, rounding moves it: on signals with fewer
    pauses ONNX Runtime departs from the reference by up to 6e-6, and its own two sessions from each other by 2e-6.
    """
    time = np.arange(int(seconds * rate)) / rate
    pitch = 140 + 25 * np.sin(2 * np.pi * 0.7 * time) + 4 * np.sin(2 * np.pi * 5.5 * time)
    phase = 2 * np.pi * np.cumsum(pitch) / rate
    first, second = 500 + 250 * np.sin(2 * np.pi * 1.3 * time), 1500 + 500 * np.sin(2 * np.pi * 0.9 * time + 1)
    tone = np.zeros_like(time)
    for harmonic in range(1, int(rate / 2 / 200)):
        frequency = harmonic * pitch
        gain = 1 / (1 + ((frequency - first) / 130) ** 2) + 0.5 / (1 + ((frequency - second) / 180) ** 2)
        tone += gain * np.sin(harmonic * phase)
    syllables = 1 - 0.5 * np.sin(np.pi * 3.1 * time) ** 4
    speaking = (time % 2.0) < 1.4
    burst = np.clip(np.sin(np.pi * (time % 2.0 - 1.5) / 0.3), 0, None) ** 4 * ~speaking
    signal = 0.1 * speaking * syllables * tone + 0.02 * burst * noise(len(time), 1) + 0.01 * noise(len(time), 2)
    return np.clip(signal, -1, 1).astype(np.float32)


def chunks(count: int, rate: int) -> np.ndarray:
    """`count` inputs of silero_vad, one a row: 32 ms of the signal after the last 4 ms of the previous row."""
    size, context = (512, 64) if rate == 16000 else (256, 32)
    signal = np.concatenate([np.zeros(context, np.float32), voice(count * size / rate, rate)])
    return np.stack([signal[i * size : i * size + context + size] for i in range(count)])


def filterbanks(signal: np.ndarray) -> np.ndarray:
    """float32[T, 80] of a signal at 16 kHz: Kaldi's log-mel filterbanks, less their mean over time.

    A row has 25 ms under a Hamming window, the next one begins 10 ms later. Samples count as 16-bit integers.
    """
    frames = np.lib.stride_tricks.sliding_window_view(signal * 32768.0, 400)[::160]
    frames = frames - frames.mean(1, keepdims=True)
    emphasized = frames - 0.97 * np.concatenate([frames[:, :1], frames[:, :-1]], 1)
    power = np.abs(np.fft.rfft(emphasized * np.hamming(400), 512)) ** 2
    edges = np.linspace(_mel(np.array(20)), _mel(np.array(8000)), 82)
    frequencies = _mel(np.arange(257) * 16000 / 512)[:, None]
    rising = (frequencies - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - frequencies) / (edges[2:] - edges[1:-1])
    logarithms = np.log(np.maximum(power @ np.clip(np.minimum(rising, falling), 0, None), 1e-7))
    return (logarithms - logarithms.mean(0)).astype(np.float32)


def _mel(frequency: np.ndarray) -> np.ndarray:
    return 1127 * np.log1p(frequency / 700)
