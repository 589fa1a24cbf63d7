"""The pocket model in PyTorch, for training only. ``treebook.players.model`` is the same function in numpy."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F

EPSILON = 1e-5


class Block(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.Parameter(torch.ones(width)), nn.Parameter(torch.ones(width))
        self.qkv = nn.Parameter(torch.randn(width, 3 * width) * width**-0.5)
        self.out = nn.Parameter(torch.zeros(width, width))  # a new layer starts as the identity
        self.up = nn.Parameter(torch.randn(width, 4 * width) * width**-0.5)
        self.down = nn.Parameter(torch.zeros(4 * width, width))

    def forward(self, x: Tensor) -> Tensor:
        rows, length, width = x.shape
        qkv = F.rms_norm(x, (width,), self.norm1, EPSILON) @ self.qkv
        q, k, v = qkv.view(rows, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + mixed.transpose(1, 2).reshape(rows, length, width) @ self.out
        return x + F.relu(F.rms_norm(x, (width,), self.norm2, EPSILON) @ self.up).square() @ self.down


class Network(nn.Module):
    """tokens [rows, length] -> logits [rows, length, vocabulary]."""

    def __init__(self, vocabulary: int, *, width: int, layers: int, heads: int, context: int) -> None:
        super().__init__()
        self.heads = heads
        self.embed = nn.Parameter(torch.randn(vocabulary, width) * 0.02)
        self.position = nn.Parameter(torch.randn(context, width) * 0.02)
        self.layers = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm = nn.Parameter(torch.ones(width))

    def forward(self, tokens: Tensor) -> Tensor:
        x = F.embedding(tokens, self.embed) + self.position[: tokens.shape[1]]
        for layer in self.layers:
            x = layer(x)
        return F.rms_norm(x, (x.shape[-1],), self.norm, EPSILON) @ self.embed.T


def save(network: Network, path: Path, **metadata: object) -> None:
    """Half precision, as safetensors. Metadata values become JSON text. Equal networks and metadata: equal bytes."""
    from safetensors.torch import save as as_bytes

    weights = {name: tensor.detach().half().contiguous() for name, tensor in network.state_dict().items()}
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in metadata.items()}
    data = as_bytes(weights, {"heads": str(network.heads), **texts})
    end = 8 + int.from_bytes(data[:8], "little")
    header = json.dumps(json.loads(data[8:end]), sort_keys=True).encode()  # the library's order is another each time
    header += b" " * (-len(header) % 8)
    path.write_bytes(len(header).to_bytes(8, "little") + header + data[end:])


def load(network: Network, path: Path) -> None:
    """Fills the network with weights that ``save`` wrote. Raises RuntimeError where names or shapes differ."""
    from safetensors.torch import load_file

    network.load_state_dict({name: tensor.float() for name, tensor in load_file(str(path)).items()})
