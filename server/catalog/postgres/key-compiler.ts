import type { BinaryOperationNode, OperationNode, OrderByItemNode } from "kysely";
import {
  BinaryOperationNode as BinaryOperation,
  ColumnNode,
  OperatorNode,
  PostgresQueryCompiler,
  RawNode,
  ReferenceNode,
} from "kysely";

/** Characters, which UTF-8 writes in four bytes at most: an index of PostgreSQL holds 2,700 bytes. */
export const KEY_HEAD = 500;

/** What holds for the beginnings of two keys where this holds for the keys. */
const OF_HEADS = new Map<string, "<=" | ">=">([
  ["<", "<="],
  ["<=", "<="],
  [">", ">="],
  [">=", ">="],
]);

/**
 * No index holds whole keys of folders, which may be longer than it can. One holds their beginnings:
 * a key that comes later has no earlier beginning. So a range of keys is asked for as one of
 * beginnings, in which the keys are looked at, and their order as that of the beginnings and then of
 * the keys. (Rows compared as pairs would say the same in fewer words, but the planner takes them
 * for a third of everything.)
 */
export class KeyCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand: key, operator, rightOperand: value } = node;
    const ofHeads = OperatorNode.is(operator) ? OF_HEADS.get(operator.operator) : undefined;
    if (ofHeads === undefined || !isKey(key)) {
      super.visitBinaryOperation(node);
      return;
    }
    this.append("(");
    super.visitBinaryOperation(
      BinaryOperation.create(headOf(key), OperatorNode.create(ofHeads), headOf(value)),
    );
    this.append(" and ");
    super.visitBinaryOperation(node);
    this.append(")");
  }

  protected override visitOrderByItem(node: OrderByItemNode): void {
    if (isKey(node.orderBy)) {
      super.visitOrderByItem({ ...node, orderBy: headOf(node.orderBy) });
      this.append(", ");
    }
    super.visitOrderByItem(node);
  }
}

const headOf = (key: OperationNode): RawNode => RawNode.create(["left(", `, ${KEY_HEAD})`], [key]);

/** The column `folders.key`, by its whole name. */
function isKey(node: OperationNode): boolean {
  return (
    ReferenceNode.is(node) &&
    node.table?.table.identifier.name === "folders" &&
    ColumnNode.is(node.column) &&
    node.column.column.name === "key"
  );
}
